import { afterAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { anAccount, login, newAddress, PASSWORD } from '../support/accounts.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { awaitMail, type ReceivedMail } from '../support/mailbox.ts';
import { anOrg } from '../support/people.ts';
import { verifiesWhen } from '../support/verifies.ts';

const linkIn = (mail: ReceivedMail) => /https?:\S+/.exec(mail.text)?.[0] ?? '';
const opened = browserPath ? openBrowser() : undefined;
afterAll(async () => (await opened)?.close());

async function visit(url: string): Promise<Page> {
  const browser = await opened;
  if (!browser) throw new Error('There is no browser');
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

const says = (page: Page, text: RegExp) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: 10_000 });
const inBrowser = (title: string, body: () => Promise<void>) =>
  verifiesWhen(browserPath !== undefined, 'there is no browser', [], title, body, 40_000);

test('pages may run their own script only, and unknown ones do not exist', async () => {
  const page = await call('GET /account/reset-password');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-[^']+'/);
  for (const missing of ['nothing', 'constructor', '__proto__'])
    expect(await call(`GET /account/${missing}`)).toMatchObject({ status: 404 });
});

inBrowser('the link of a reset mail leads to a form that sets the password', async () => {
  const { email } = await anAccount();
  await call('POST /api/auth/forgot-password', { email });
  const page = await visit(linkIn(await awaitMail(email, /new password/)));
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button').click();
  await says(page, /at least 8 characters/);
  await page.getByLabel('New password').fill('a fresh long sentence');
  await page.getByRole('button').click();
  await says(page, /Your password is set/);
  await page.close();
  expect(await login(email, 'a fresh long sentence')).toMatchObject({ status: 200 });
});

inBrowser('the link of an invitation leads to a form that makes a member, signed in by cookie', async () => {
  const { admin } = await anOrg();
  const email = newAddress();
  await call('POST /api/org/team/invite', { email }, admin);
  const page = await visit(linkIn(await awaitMail(email, /Invitation/)));
  await page.getByRole('heading', { name: /^Join Org/ }).waitFor();
  await page.getByLabel('Your name').fill('Mia Member');
  await page.getByLabel('Choose a password').fill(PASSWORD);
  await page.getByRole('button').click();
  await says(page, /You are a member now/);
  const me = await page.evaluate('fetch("/api/auth/me").then((answer) => answer.json())');
  expect(me).toMatchObject({ email, name: 'Mia Member', organizationId: admin.orgId });
  await page.close();
});

inBrowser('the sign-in page asks for the code when there is one', async () => {
  const { email } = await anAccount({ otpEnabled: true });
  const page = await visit(`${host.url}/account/sign-in`);
  await page.getByLabel('Address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button').click();
  await says(page, /Enter the code/);
  const code = /^\d{6}$/m.exec((await awaitMail(email, /login code/)).text)?.[0] ?? '';
  await page.getByLabel('Login code').fill(code);
  await page.getByRole('button').click();
  await says(page, /You are signed in/);
  await page.close();
});
