import { expect, test } from 'vitest';
import { CONTRACTS } from '../../functions/contracts.ts';
import type { Route, Routes } from '../../shared/http/route.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { verifies, verifiesWhen } from '../support/verifies.ts';

verifies('docs/interactive', 'the document lists every route of the service with its method', async () => {
  const { body } = await call('GET /openapi.json');
  expect(body.openapi).toBe('3.1.0');
  const documented = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const contracted = Object.values<Routes>(CONTRACTS).flatMap((routes) =>
    Object.values<Route>(routes).map(({ method, path }) => `${method} ${path.replaceAll('+}', '}')}`),
  );
  expect(documented.toSorted()).toEqual(contracted.toSorted());
});

test('operation ids are unique, so that clients can be generated from the document', async () => {
  const { body } = await call('GET /openapi.json');
  const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

verifiesWhen(
  browserPath !== undefined,
  'there is no browser on this machine',
  'docs/interactive',
  'in a real browser the page renders and sends a sample call',
  async () => {
    const browser = await openBrowser();
    const page = await browser.newPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(host.url) && !request.url().startsWith('data:')) foreign.push(request.url());
    });
    await page.goto(`${host.url}/docs`);
    await page.locator('#operations-tag-ops').click();
    await page.getByText('/health', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Execute' }).first().click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).first().waitFor();
    expect(await page.locator('.live-responses-table').first().textContent()).toContain('"status": true');
    expect(foreign).toEqual([]);
    await browser.close();
  },
  60_000,
);
