import { describe, expect, test } from 'vitest';
import { toPrompt } from '../../functions/completions/history.ts';

const words = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] });
const called = (call_id: string, json = '{}') => ({ type: 'function_call', call_id, name: 'f', arguments: json });
const result = (call_id: string, text = 'ok') => ({
  type: 'function_call_output',
  call_id,
  output: [{ type: 'input_text', text }],
});
const reply = (content: string, output: readonly object[]) => toPrompt({ role: 'assistant', content, output });

describe('a stored message as a model is shown it', () => {
  test('is its text where nothing was called', () => {
    expect(reply('Hi.', [])).toEqual([{ role: 'assistant', content: 'Hi.' }]);
    expect(reply('Hi.', [{ type: 'reasoning', content: [{ text: 'hm' }] }, words('Hi.')])).toEqual([
      { role: 'assistant', content: 'Hi.' },
    ]);
    expect(toPrompt({ role: 'user', content: 'Hello' })).toEqual([{ role: 'user', content: 'Hello' }]);
    expect(toPrompt({ content: 'a leaf without a role' })).toEqual([]);
  });

  test('leaves out calls that nobody has answered, and answers that nobody has asked for', () => {
    expect(reply('Wait.', [words('Wait.'), called('a')])).toEqual([{ role: 'assistant', content: 'Wait.' }]);
    expect(reply('', [called('a'), called('b'), result('b'), result('c')])).toMatchObject([
      { role: 'assistant', content: '', tool_calls: [{ id: 'b' }] },
      { role: 'tool', tool_call_id: 'b', content: 'ok' },
    ]);
  });

  test('says what a person has changed the text to', () => {
    const output = [words('One.'), called('a'), result('a'), words('Two.')];
    expect(reply('One.\n\nTwo.', output).map(({ content }) => content)).toEqual(['One.', 'ok', 'Two.']);
    expect(reply('Three.', output).map(({ content }) => content)).toEqual(['', 'ok', 'Three.']);
  });

  test('has arguments that every server can read', () => {
    const [message] = reply('', [called('a', '{broken'), result('a')]);
    expect(message!.tool_calls![0]!.function!.arguments).toBe('{"raw_arguments":"{broken"}');
  });

  test('is free of what older clients wrote into it, and shows pictures', () => {
    const content = '<details type="reasoning" done="true">\n<summary>x</summary>\nhm\n</details>\nHi.';
    expect(reply(content, [])).toEqual([{ role: 'assistant', content: 'Hi.' }]);
    const files = [
      { type: 'image', url: 'data:image/png;base64,aa' },
      { type: 'file', id: 'f' },
    ];
    expect(toPrompt({ role: 'user', content: 'See', files })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aa' } },
        ],
      },
    ]);
  });
});
