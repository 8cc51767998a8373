import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPageFiles } from '../../functions/web/files.ts';
import { createSite } from '../../functions/web/service.ts';
import { bundleAll } from '../../infra/bundle.ts';
import { FAMILIES } from '../../infra/family-list.ts';
import { functionsOf } from '../../infra/functions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'atrium-web-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('deployed, the page is one script and one style with everything in them', async () => {
  await bundleAll(functionsOf({ families: { web: FAMILIES.web }, jobs: {} }), folder);
  const files = readPageFiles(path.join(folder, 'web'));
  expect([...files.keys()].toSorted()).toEqual(['embed.html', 'icon.svg', 'index.html', 'main.js', 'style.css']);
  expect(files.get('main.js')).not.toMatch(/\bfrom\s*["']\.\//);
  expect(files.get('style.css')).not.toContain('@import');

  const ask = (url: string) => new Request(`https://atrium.example${url}`);
  const site = createSite(files);
  const page = await site.page(ask('/')).text();
  const addresses = [...page.matchAll(/(?:src|href)="\/assets\/([\w-]+)\/([\w.-]+)"/g)];
  expect(new Set(addresses.map(([, , name]) => name))).toEqual(new Set(['main.js', 'style.css', 'icon.svg']));
  for (const [, version = '', name = ''] of addresses) {
    expect(site.file({ version, name }, ask('/')).status).toBe(200);
  }
});
