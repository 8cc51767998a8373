import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { example, remove, upload } from './support/plugin.ts';

test('every example stands in the documentation as it is, each within one screen', () => {
  const page = readFileSync('docs/plugins.md', 'utf8');
  const shown = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  const examples = readdirSync('functions/plugins/examples').map((file) => example(file.replace('.js', '')));
  expect(new Set(shown)).toEqual(new Set(examples));
  expect(examples.filter((source) => source.split('\n').length > 45)).toEqual([]);
});

test('the filter of the documentation wraps a completion on both ways', async () => {
  const plugin = await upload(example('polite-filter'));
  const { token } = await aUser();
  const body = {
    model: 'demo',
    stream: true,
    filter_ids: [plugin.id],
    messages: [{ role: 'user', content: 'damn it' }],
  };
  const answer = await call('POST /api/chat/completions', body, { token });
  expect(answer.body).toContain('dear');
  expect(answer.body).not.toContain('damn');
  await remove(plugin);
});
