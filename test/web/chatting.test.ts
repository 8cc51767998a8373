import type { Page, WebSocketRoute } from 'playwright-core';
import { describe, expect } from 'vitest';
import { eventually } from '../realtime/support/eventually.ts';
import { call } from '../support/call.ts';
import {
  answers,
  chatIdOf,
  inBrowser,
  lastAnswer,
  openPage,
  signedInBrowser,
  untilDone,
  write,
} from './support/page.ts';
import { HOLD, release, say, untilHeld, useStage } from './support/stage.ts';

const stage = useStage();
const chats = (page: Page) => page.getByRole('navigation', { name: 'Chats' });

describe('a chat', () => {
  inBrowser('is written, stored, listed and found again', async () => {
    const { context, person } = await signedInBrowser();
    const page = await openPage(context);
    await write(page, 'Hello there');
    await untilDone(page);
    await lastAnswer(page).getByText('You said: "Hello there"').waitFor();
    await write(page, 'show me markdown');
    await lastAnswer(page).locator('table').waitFor();
    expect(await lastAnswer(page).locator('pre').innerText()).toContain('export const greet');
    expect(await lastAnswer(page).getByRole('link', { name: 'link' }).getAttribute('rel')).toContain('noopener');
    await untilDone(page);
    const { body } = await call(`GET /api/v1/chats/${chatIdOf(page)}`, undefined, { token: person.token });
    expect(body.chat.messages.map(({ role, done }: { role: string; done?: boolean }) => [role, done])).toEqual([
      ['user', undefined],
      ['assistant', true],
      ['user', undefined],
      ['assistant', true],
    ]);
    await page.getByRole('link', { name: 'New chat' }).click();
    await page.getByText('What can I do for you?').waitFor();
    await chats(page).getByRole('link', { name: 'Hello there' }).click();
    await answers(page).nth(1).waitFor();
  });

  inBrowser('is renamed and deleted', async () => {
    const { context } = await signedInBrowser();
    const page = await openPage(context);
    await write(page, 'First name');
    await untilDone(page);
    await chats(page)
      .getByRole('button', { name: /^Rename/ })
      .click();
    await page.getByRole('dialog').locator('input').fill('Second <b>name</b>');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second <b>name</b>' }).waitFor();
    await page.reload();
    await chats(page).getByRole('link', { name: 'Second <b>name</b>' }).waitFor();
    await chats(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('What can I do for you?').waitFor();
    expect(await chats(page).getByRole('link').count()).toBe(0);
  });

  inBrowser('keeps all answers to one question', async () => {
    const { context } = await signedInBrowser();
    const page = await openPage(context);
    await write(page, 'Again and again');
    await untilDone(page);
    await page.getByRole('button', { name: 'Write again' }).click();
    await page.getByText('2 / 2').waitFor();
    await page.getByRole('button', { name: 'Previous answer' }).click();
    await page.getByText('1 / 2').waitFor();
    expect(await answers(page).count()).toBe(1);
    await page.reload();
    await page.getByText('1 / 2').waitFor();
  });

  inBrowser('is stopped where it is', async () => {
    const { context } = await signedInBrowser();
    const page = await openPage(context);
    await stage.play(page, [say('so far'), HOLD, say(' and further')]);
    await lastAnswer(page).getByText('so far').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await untilDone(page);
    expect(await lastAnswer(page).innerText()).not.toContain('further');
    expect(await page.getByRole('button', { name: 'Send' }).isVisible()).toBe(true);
  });

  inBrowser('says why a model does not answer', async () => {
    const { context } = await signedInBrowser();
    const page = await openPage(context);
    await page.route('**/api/chat/completions', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), model: 'gone' }) }),
    );
    await write(page, 'Is anybody there?');
    await lastAnswer(page).getByRole('alert').waitFor();
    await page.reload();
    expect(await lastAnswer(page).getByRole('alert').innerText()).toMatch(/model/i);
  });

  inBrowser('is listed a page at a time', async () => {
    const { context, person } = await signedInBrowser();
    const chat = (title: string) => ({ title, models: [], messages: [], history: { currentId: null, messages: {} } });
    for (let i = 0; i < 61; i += 1) {
      await call('POST /api/v1/chats/new', { chat: chat(`Chat ${i}`) }, { token: person.token });
    }
    const page = await openPage(context);
    await eventually(() => chats(page).getByRole('link').count()).toBe(60);
    await chats(page).getByRole('button', { name: 'Show more' }).click();
    await eventually(() => chats(page).getByRole('link').count()).toBe(61);
    expect(await chats(page).getByRole('button', { name: 'Show more' }).isVisible()).toBe(false);
  });
});

describe('elsewhere', () => {
  inBrowser('another tab sees the reply grow, and another user sees nothing', async () => {
    const { context } = await signedInBrowser();
    const [one, other] = [await openPage(context), await openPage(context)];
    const stranger = await openPage((await signedInBrowser()).context);
    const heard: string[] = [];
    stranger.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void heard.push(String(payload))));
    await stranger.reload();
    await eventually(() => heard.filter((text) => text.includes('"ready"')).length).toBe(1);
    await stage.play(one, [say('for my own eyes'), HOLD, say(', to the end')]);
    await untilHeld(one);
    await chats(other).getByRole('link').first().click();
    await lastAnswer(other).getByText('for my own eyes').waitFor();
    await release(one);
    await lastAnswer(other).getByText('for my own eyes, to the end').waitFor();
    await untilDone(other);
    await stranger.goto(`${new URL(stranger.url()).origin}/${new URL(one.url()).hash}`);
    await stranger.getByRole('alert').waitFor();
    expect(await stranger.getByText('for my own eyes').count()).toBe(0);
    expect(heard.filter((text) => text.includes('"events"'))).toEqual([]);
  });

  inBrowser('what was said while the socket was away is there when it is back', async () => {
    const { context, person } = await signedInBrowser();
    const page = await openPage(context);
    let isAway = false;
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/ws/, (socket) => {
      if (isAway) return void socket.close();
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.reload();
    await eventually(() => sockets.length).toBe(1);
    await write(page, 'Hello');
    await untilDone(page);
    isAway = true;
    await sockets[0]?.close();
    await page.getByText('Connecting again').waitFor();
    await write(page, 'Are you still there?');
    await lastAnswer(page).getByText('You said: "Are you still there?"').waitFor();
    await untilDone(page);
    const chatId = chatIdOf(page);
    await call(`POST /api/v1/chats/${chatId}`, { chat: { title: 'Changed meanwhile' } }, { token: person.token });
    isAway = false;
    await page.evaluate('dispatchEvent(new Event("online"))');
    await page.getByRole('heading', { name: 'Changed meanwhile' }).waitFor();
    expect(await page.getByText('Connecting again').isVisible()).toBe(false);
  });
});
