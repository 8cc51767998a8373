import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { aSignedIn } from '../../support/accounts.ts';
import { browserPath, openBrowser } from '../../support/browser.ts';
import { host } from '../../support/host.ts';
import { verifiesWhen } from '../../support/verifies.ts';

let opened: Promise<Browser> | undefined;
afterAll(async () => (await opened)?.close());

/** A browser of its own: cookies and storage of nobody else. It asks the demo model, whatever other tests have connected. */
export async function aBrowser(): Promise<BrowserContext> {
  opened ??= openBrowser();
  const context = await (await opened).newContext({ viewport: { width: 1000, height: 700 } });
  await context.addInitScript("origin === 'null' || (localStorage['atrium.model'] ??= 'demo')");
  return context;
}

export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
}

/** Signed in as a login would leave it: with nothing but the cookie. */
export async function signedInBrowser(person?: SignedIn): Promise<{ context: BrowserContext; person: SignedIn }> {
  const context = await aBrowser();
  const who = person ?? (await aSignedIn());
  await giveCookie(context, who.token);
  return { context, person: who };
}

export const giveCookie = (context: BrowserContext, token: string) =>
  context.addCookies([{ name: 'token', value: token, url: host.url, httpOnly: true, sameSite: 'Lax' }]);

/** The page in a new tab, ready to be written in. */
export async function openPage(context: BrowserContext, hash = ''): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${host.url}/${hash}`);
  await page.getByLabel('Message').waitFor();
  return page;
}

export async function write(page: Page, text: string) {
  await page.getByLabel('Message').fill(text);
  await page.keyboard.press('Enter');
}

/** Resolves once the reply in view is complete. */
export const untilDone = (page: Page) => page.getByRole('button', { name: 'Write again' }).last().waitFor();

export const answers = (page: Page) => page.locator('article.assistant');
export const lastAnswer = (page: Page) => answers(page).last();

export const chatIdOf = (page: Page) => new URL(page.url()).hash.replace('#/c/', '');

/** A proof in a real browser. */
export const verifiesInBrowser = (
  ids: Parameters<typeof verifiesWhen>[2],
  title: string,
  body: () => Promise<void>,
): void => verifiesWhen(browserPath !== undefined, 'there is no browser', ids, title, body, 60_000);

export const inBrowser = (title: string, body: () => Promise<void>) => verifiesInBrowser([], title, body);
