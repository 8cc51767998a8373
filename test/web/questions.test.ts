import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inBrowser, lastAnswer, openPage, signedInBrowser, untilDone, verifiesInBrowser } from './support/page.ts';
import { ask, emit, say, useStage } from './support/stage.ts';

const stage = useStage();

async function open(): Promise<Page> {
  const { context } = await signedInBrowser();
  return openPage(context);
}

describe('a question for input', () => {
  verifiesInBrowser('plugin-events/input-password', 'masks what is typed when it is for a password', async () => {
    const page = await open();
    await stage.play(page, [ask('input', { title: 'Secret', message: 'Your password?', type: 'password' })]);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your password?').waitFor();
    const field = dialog.locator('input');
    expect(await field.getAttribute('type')).toBe('password');
    await field.pressSequentially('swordfish');
    expect(await dialog.innerText()).not.toContain('swordfish');
    await page.keyboard.press('Enter');
    await untilDone(page);
    expect(await lastAnswer(page).innerText()).toContain('answer: "swordfish"');
  });

  inBrowser('shows what it was given, and is answered with what was typed, or with no', async () => {
    const page = await open();
    await stage.play(page, [
      ask('input', { title: 'Town', message: 'Where to?', placeholder: 'A town', value: 'Rome' }),
      ask('input', { title: 'Again', message: 'And then?', placeholder: 'Another town' }),
    ]);
    const dialog = page.getByRole('dialog');
    const field = dialog.getByPlaceholder('A town');
    expect(await field.getAttribute('type')).toBe('text');
    expect(await field.inputValue()).toBe('Rome');
    await field.fill('Oslo');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.getByPlaceholder('Another town').waitFor();
    await page.keyboard.press('Escape');
    await untilDone(page);
    expect(await lastAnswer(page).innerText()).toMatch(/answer: "Oslo"\s+answer: false/);
  });
});

inBrowser('a confirmation is answered with yes or no', async () => {
  const page = await open();
  const question = (message: string) => ask('confirmation', { title: 'Sure?', message });
  await stage.play(page, [question('Once'), question('Twice')]);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Once').waitFor();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await dialog.getByText('Twice').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await untilDone(page);
  expect(await lastAnswer(page).innerText()).toMatch(/answer: true\s+answer: false/);
});

describe('code of a plugin', () => {
  verifiesInBrowser(
    ['plugin-events/execute-call', 'plugin-events/execute-emitter'],
    'runs in the page as an async function; its value or its failure is the answer, if one is wanted',
    async () => {
      const page = await open();
      const run = (code: string) => ask('execute', { code });
      await stage.play(page, [
        emit('execute', { code: 'window.greeting = await Promise.resolve("hello");' }),
        run('await new Promise((later) => setTimeout(later, 10)); return { title: document.title, greeting };'),
        run('throw new TypeError("no such thing");'),
        run('return document.body;'),
        run('return "x".repeat(40000);'),
        run('window.none = 1;'),
        say('end'),
      ]);
      await untilDone(page);
      const said = (await lastAnswer(page).innerText()).split(/\n+/);
      expect(said.filter((line) => line.startsWith('answer'))).toEqual([
        expect.stringMatching(/^answer: \{"title":".+ · Atrium","greeting":"hello"\}$/),
        'answer: {"error":"TypeError: no such thing"}',
        'answer: {}',
        'answer: {"error":"The answer is larger than 31 KB."}',
        'answer: null',
      ]);
    },
  );
});

inBrowser('what nobody waits for any more is not asked any longer', async () => {
  const page = await open();
  await stage.play(page, [ask('confirmation', { title: 'Sure?', message: 'Still there?' })]);
  await page.getByRole('dialog').getByText('Still there?').waitFor();
  const other = await openPage(page.context(), new URL(page.url()).hash);
  await other.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await untilDone(page);
});
