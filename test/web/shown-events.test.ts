import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { inBrowser, lastAnswer, openPage, signedInBrowser, untilDone, verifiesInBrowser } from './support/page.ts';
import { emit, HOLD, release, say, untilHeld, useStage } from './support/stage.ts';

const stage = useStage();

/** Somebody else's site. */
const site = createServer((request, response) => {
  response.setHeader('content-type', 'text/html').end(`<p>Somebody else's page at ${request.url}</p>`);
});
let elsewhere = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  elsewhere = `127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => void site.close());

async function open(): Promise<Page> {
  const { context } = await signedInBrowser();
  return openPage(context);
}

const status = (description: string, more: object = {}) => emit('status', { description, ...more });
const animationOf = (page: Page) => page.evaluate('getComputedStyle(document.querySelector(".status")).animationName');
const skeleton = (page: Page) => lastAnswer(page).getByLabel('The answer is being written');

describe('a status', () => {
  verifiesInBrowser('plugin-events/done-display', 'shimmers until it is done, and stands still then', async () => {
    const page = await open();
    await stage.play(page, [
      status('Reading', { done: false }),
      HOLD,
      status('Adding up'),
      HOLD,
      status('Read', { done: true }),
      HOLD,
      say('.'),
    ]);
    await untilHeld(page);
    await lastAnswer(page).getByText('Reading').waitFor();
    expect(await animationOf(page)).toBe('shimmer');
    await release(page);
    await untilHeld(page);
    await lastAnswer(page).locator('.status', { hasText: 'Adding up' }).waitFor();
    expect(await animationOf(page)).toBe('shimmer');
    await release(page);
    await untilHeld(page);
    await lastAnswer(page).locator('.status', { hasText: 'Read' }).waitFor();
    expect(await animationOf(page)).toBe('none');
    await release(page);
    await untilDone(page);
    await page.reload();
    await untilDone(page);
    expect(await animationOf(page)).toBe('none');
  });

  verifiesInBrowser(
    'plugin-events/skeleton',
    'leaves the place to a skeleton while it is hidden and nothing is said',
    async () => {
      const page = await open();
      await stage.play(page, [
        HOLD,
        status('Seen'),
        HOLD,
        status('Unseen', { hidden: true }),
        HOLD,
        say('Words'),
        HOLD,
      ]);
      await untilHeld(page);
      await skeleton(page).waitFor();
      await release(page);
      await lastAnswer(page).getByText('Seen').waitFor();
      expect(await skeleton(page).count()).toBe(0);
      await release(page);
      await skeleton(page).waitFor();
      expect(await lastAnswer(page).locator('.status').count()).toBe(0);
      await release(page);
      await lastAnswer(page).getByText('Words').waitFor();
      expect(await skeleton(page).count()).toBe(0);
      expect(await lastAnswer(page).getByText('Unseen').count()).toBe(0);
      await release(page);
      await untilDone(page);
    },
  );
});

describe('an embed', () => {
  const SANDBOX = 'allow-scripts allow-popups allow-downloads';

  verifiesInBrowser(
    ['plugin-events/embed-url', 'plugin-events/embed-sandbox'],
    'that is an address is loaded from there, in a sandbox',
    async () => {
      const page = await open();
      await stage.play(page, [
        emit('embeds', { embeds: [`http://${elsewhere}/one`, `//${elsewhere}/two`] }),
        say('Look'),
      ]);
      await untilDone(page);
      for (const [i, path] of ['/one', '/two'].entries()) {
        const frame = lastAnswer(page).locator('iframe').nth(i);
        expect(await frame.getAttribute('sandbox')).toBe(SANDBOX);
        await frame.scrollIntoViewIfNeeded();
        await frame.contentFrame().getByText(`Somebody else's page at ${path}`).waitFor();
      }
      await page.reload();
      await untilDone(page);
      expect(await lastAnswer(page).locator('iframe').count()).toBe(2);
    },
  );

  verifiesInBrowser(
    ['plugin-events/embed-html', 'plugin-events/embed-sandbox'],
    'that is anything else is raw HTML, whose scripts run and reach nothing of the page',
    async () => {
      const page = await open();
      const html = `<b id="result">waiting</b><a href="http://${elsewhere}/popup" target="_blank">Pop up</a>
        <a href="data:text/plain,saved" download="saved.txt">Save</a>
        <script>
          const tried = (attempt) => { try { attempt(); return 'reached'; } catch { return 'refused'; } };
          document.querySelector('#result').textContent = [
            tried(() => parent.document.title), tried(() => localStorage.length), tried(() => document.cookie), origin,
          ].join(' ');
        </script>`;
      await stage.play(page, [emit('embeds', { embeds: [html] }), say('Look')]);
      const frame = lastAnswer(page).locator('iframe');
      await frame.waitFor();
      expect(await frame.getAttribute('sandbox')).toBe(SANDBOX);
      const inside = frame.contentFrame();
      await inside.getByText('refused refused refused null').waitFor();
      const popup = page.context().waitForEvent('page');
      await inside.getByText('Pop up').click();
      await (await popup).getByText("Somebody else's page at /popup").waitFor();
      const download = page.waitForEvent('download');
      await inside.getByText('Save').click();
      expect((await download).suggestedFilename()).toBe('saved.txt');
    },
  );

  inBrowser('is added to the others, or replaces them', async () => {
    const page = await open();
    const embeds = (text: string, more: object = {}) => ({ embeds: [`<p>${text}</p>`], ...more });
    await stage.play(page, [
      emit('embeds', embeds('one')),
      emit('embeds', embeds('two')),
      emit('chat:message:embeds', embeds('three', { replace: true })),
      HOLD,
      emit('embeds', embeds('four', { replace: true })),
      HOLD,
    ]);
    await untilHeld(page);
    expect(await lastAnswer(page).locator('iframe').count()).toBe(3);
    await release(page);
    await untilHeld(page);
    await lastAnswer(page).locator('iframe').contentFrame().getByText('four').waitFor();
    await release(page);
  });
});

describe('a reply', () => {
  inBrowser('shows text that is appended and replaced, files, sources, tags, its title and a star', async () => {
    const page = await open();
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await stage.play(page, [
      emit('message', { content: 'first ' }),
      emit('chat:message:delta', { content: 'second' }),
      HOLD,
      emit('replace', { content: 'instead ' }),
      HOLD,
      emit('chat:message', { content: 'at last' }),
      emit('files', {
        files: [
          { type: 'image', url: pixel, name: 'A pixel' },
          { type: 'file', name: 'plan.txt', url: '/plan.txt' },
        ],
      }),
      emit('source', {
        source: { name: 'A book', url: 'https://example.com/book' },
        document: ['A passage'],
        metadata: [{}],
      }),
      emit('citation', { source: { name: 'A leaflet' }, document: ['Another'], metadata: [{}] }),
      emit('source', {
        type: 'code_execution',
        id: 'r',
        name: 'A run',
        code: '1 + 1',
        language: 'js',
        result: { output: 'two' },
      }),
      emit('chat:title', { title: 'A better title' }),
      emit('chat:tags', ['travel', 'plans']),
      emit('chat:message:favorite', { favorite: true }),
      HOLD,
    ]);
    const answer = lastAnswer(page);
    await untilHeld(page);
    await answer.getByText('first second').waitFor();
    await release(page);
    await untilHeld(page);
    await answer.getByText('instead').waitFor();
    await release(page);
    await untilHeld(page);
    await answer.getByText('at last').waitFor();
    await answer.getByAltText('A pixel').waitFor();
    expect(await page.evaluate('document.querySelector("article img").naturalWidth')).toBe(1);
    expect(await answer.getByRole('link', { name: 'plan.txt' }).getAttribute('href')).toMatch(/^http.*\/plan\.txt$/);
    await answer.getByText('Sources (2)').click();
    expect(await answer.getByRole('link', { name: 'A book' }).getAttribute('href')).toBe('https://example.com/book');
    await answer.getByText('A leaflet').waitFor();
    await answer.getByText('A run').click();
    await answer.getByText('two').waitFor();
    await page.getByRole('heading', { name: 'A better title' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'A better title' }).waitFor();
    expect(await page.locator('.tags span').allTextContents()).toEqual(['travel', 'plans']);
    await release(page);
    await untilDone(page);
    expect(await answer.getByRole('button', { name: 'Favorite' }).getAttribute('aria-pressed')).toBe('true');
  });

  inBrowser('may be accompanied by notifications of four kinds', async () => {
    const page = await open();
    const kinds = ['info', 'success', 'warning', 'error'] as const;
    await stage.play(page, [
      ...kinds.map((type) => emit('notification', { type, content: `This is ${type}` })),
      say('x'),
    ]);
    for (const kind of kinds) {
      const toast = page.locator(`.toast.${kind}`, { hasText: `This is ${kind}` });
      await toast.waitFor();
      expect(await toast.getAttribute('role')).toBe(kind === 'warning' || kind === 'error' ? 'alert' : 'status');
    }
    await page.locator('.toast.error').getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.toast.error').count()).toBe(0);
  });
});
