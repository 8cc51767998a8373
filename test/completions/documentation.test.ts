import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { host } from '../support/host.ts';
import { anApiKey, aUser } from '../support/people.ts';

/** The tour in docs/chat.md, run as a reader would: a page that does not work is worse than none. */
const page = readFileSync('docs/chat.md', 'utf8');
const blocks = [...page.matchAll(/```(sh|js)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({
  language,
  code,
}));
const run = promisify(execFile);

async function readerOf() {
  return { PATH: process.env['PATH'], URL: host.url, KEY: await anApiKey(await aUser()) };
}

const GREETING = 'I am the built-in demo model';

describe('the tour in docs/chat.md works', () => {
  const scripts = blocks.filter(({ language, code }) => language === 'sh' && code.includes('curl'));
  const programs = blocks
    .filter(({ language }) => language === 'js')
    .map(({ code }) => ({ code, sdk: /from '([^']+)'/.exec(code)?.[1] }));

  test('has its scripts and its three SDKs', () => {
    expect(scripts).toHaveLength(2);
    expect(programs.map(({ sdk }) => sdk)).toEqual(['openai', '@anthropic-ai/sdk', 'ollama']);
  });

  test.each(programs)('with the SDK $sdk', async ({ code }) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { env: await readerOf() });
    expect(stdout).toContain(GREETING);
  });

  test('with curl, format by format', async () => {
    const { stdout } = await run('bash', ['-ec', scripts[0]!.code], { env: await readerOf() });
    expect(stdout.split(GREETING).length - 1).toBe(3);
    expect(stdout).toContain('data: [DONE]');
    expect(stdout).toContain('"owned_by"');
  });

  test('with curl, into a chat', async () => {
    const { stdout } = await run('bash', ['-ec', scripts[1]!.code], { env: await readerOf() });
    const [, chat = ''] = stdout.split('data: [DONE]');
    const { messages } = JSON.parse(chat).chat;
    expect(messages.at(-1)).toMatchObject({
      role: 'assistant',
      done: true,
      content: expect.stringContaining(GREETING),
    });
  });
});
