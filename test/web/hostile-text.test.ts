import { describe, expect } from 'vitest';
import { inBrowser, lastAnswer, openPage, signedInBrowser, untilDone } from './support/page.ts';
import { ask, emit, say, useStage } from './support/stage.ts';

const stage = useStage();

const MARKUP = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload="window.ran=1">';
const LINKS = '[a](javascript:window.ran=1) [b](data:text/html,<script>1</script>) ![c](javascript:1) <javascript:1>';
const TEXT = `${MARKUP}\n\n${LINKS}\n\n\`\`\`html\n${MARKUP}\n\`\`\`\n\n| ${MARKUP} | b |\n| --- | --- |\n| ${LINKS} | d |`;

describe('text of others', () => {
  inBrowser('is shown and never run, wherever it stands', async () => {
    const { context } = await signedInBrowser();
    const page = await openPage(context);
    const violations: string[] = [];
    page.on(
      'console',
      (message) => void (/Content Security Policy/.test(message.text()) && violations.push(message.text())),
    );
    await stage.play(page, [
      emit('status', { description: MARKUP, done: true }),
      emit('chat:title', MARKUP),
      emit('chat:tags', [MARKUP]),
      emit('notification', { type: 'error', content: MARKUP }),
      emit('files', {
        files: [
          { type: 'file', name: MARKUP, url: 'javascript:window.ran=1' },
          { type: 'image', name: MARKUP, url: 'javascript:window.ran=1' },
          { type: 'image', name: MARKUP, url: 'data:image/svg+xml,<svg onload="window.ran=1">' },
        ],
      }),
      emit('source', { source: { name: MARKUP, url: 'javascript:window.ran=1' }, document: [MARKUP], metadata: [{}] }),
      ask('confirmation', { title: MARKUP, message: MARKUP }),
      say(TEXT),
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await untilDone(page);
    await page.locator('.toast.error', { hasText: 'onerror' }).waitFor();
    await lastAnswer(page).getByText('Sources (1)').click();
    const answer = lastAnswer(page);
    expect(await answer.locator('img, script, svg:not(button svg)').count()).toBe(0);
    expect(await answer.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0);
    expect(await page.getByRole('heading', { name: MARKUP, exact: true }).count()).toBe(1);
    await page.reload();
    await untilDone(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(violations).toEqual([]);
  });

  inBrowser('cannot make the page slow', async () => {
    const { context } = await signedInBrowser();
    const page = await openPage(context);
    const heavy = [
      '*a'.repeat(20_000),
      '[a]('.repeat(10_000),
      '`'.repeat(40_000),
      '> '.repeat(5000),
      '_a *b **c ~~d '.repeat(3000),
    ];
    await stage.play(page, [say(heavy.map((text) => text.slice(0, 20_000)).join('\n\n')), say('\n\nthe end')]);
    await lastAnswer(page).getByText('the end').waitFor();
    await untilDone(page);
  });
});
