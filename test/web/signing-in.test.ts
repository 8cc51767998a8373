import { describe, expect } from 'vitest';
import { createTokens } from '../../shared/identity/token.ts';
import { aSignedIn, anAccount, newAddress, PASSWORD } from '../support/accounts.ts';
import { host } from '../support/host.ts';
import { awaitMail } from '../support/mailbox.ts';
import { anOperator } from '../support/people.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';
import {
  aBrowser,
  giveCookie,
  inBrowser,
  lastAnswer,
  openPage,
  signedInBrowser,
  untilDone,
  write,
} from './support/page.ts';

async function openForm() {
  const context = await aBrowser();
  const page = await context.newPage();
  await page.goto(host.url);
  await page.getByLabel('E-mail').waitFor();
  const fill = async (fields: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    await page.keyboard.press('Enter');
  };
  return { context, page, fill };
}

describe('somebody who opens the address', () => {
  inBrowser('signs in with a password and stays signed in, without a token that scripts could read', async () => {
    const { email } = await anAccount();
    const { page, context, fill } = await openForm();
    await fill({ 'E-mail': email, Password: 'not the password' });
    await page.getByRole('status').filter({ hasText: /./ }).waitFor();
    expect(await page.getByLabel('Message').count()).toBe(0);
    await fill({ Password: PASSWORD });
    await page.getByLabel('Message').waitFor();
    await page.reload();
    await page.getByLabel('Message').waitFor();
    const token = (await context.cookies()).find(({ name }) => name === 'token');
    expect(token).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const readable = await page.evaluate(
      'document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)',
    );
    expect(readable).not.toContain(token?.value);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('token');
  });

  inBrowser('is asked for the code of a second step', async () => {
    const { email } = await anAccount({ otpEnabled: true });
    const { page, fill } = await openForm();
    await fill({ 'E-mail': email, Password: PASSWORD });
    await page.getByLabel('Code').waitFor();
    await fill({ Code: '000000' });
    await page.getByRole('status').filter({ hasText: /code/i }).waitFor();
    const code = /\b\d{6}\b/.exec((await awaitMail(email, /code/i)).text)?.[0] ?? '';
    await fill({ Code: code });
    await page.getByLabel('Message').waitFor();
  });

  inBrowser('signs in as a user even where an operator is signed in', async () => {
    const context = await aBrowser();
    await giveCookie(context, (await anOperator()).token);
    const page = await context.newPage();
    await page.goto(host.url);
    await page.getByLabel('E-mail').fill((await anAccount()).email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Message').waitFor();
  });

  inBrowser('may create an account', async () => {
    const { page, fill } = await openForm();
    await page.getByRole('button', { name: 'Create an account' }).click();
    await fill({ Name: 'Nina New', 'E-mail': newAddress(), Password: PASSWORD });
    await page.getByLabel('Message').waitFor();
    await page.getByText('Nina New').waitFor();
  });
});

describe('when the login has expired', () => {
  const tokens = createTokens({ JWT_SECRET: TEST_ENVIRONMENT.JWT_SECRET, JWT_SECRET_PREVIOUS: '', SVC_URL: host.url });
  const expired = async (userId: string) => {
    const iat = Math.floor(Date.now() / 1000) - 7200;
    return tokens.sign({ sub: userId, acct: 'user', org: null, jti: crypto.randomUUID(), tv: 1, iat, exp: iat + 3600 });
  };

  inBrowser('the page asks to sign in and goes on where it was', async () => {
    const person = await aSignedIn();
    const { context } = await signedInBrowser(person);
    const page = await openPage(context);
    await write(page, 'before');
    await untilDone(page);
    await giveCookie(context, await expired(person.userId));
    await write(page, 'not to be lost');
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await lastAnswer(page).getByText('You said: "before"').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('not to be lost');
    await page.getByLabel('Message').press('Enter');
    await lastAnswer(page).getByText('You said: "not to be lost"').waitFor();
  });

  inBrowser('a page that is opened then shows nothing but the form', async () => {
    const context = await aBrowser();
    await giveCookie(context, await expired((await anAccount()).userId));
    const page = await context.newPage();
    await page.goto(host.url);
    await page.getByLabel('E-mail').waitFor();
    expect(await page.getByLabel('Message').count()).toBe(0);
  });
});
