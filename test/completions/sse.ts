/** What an event stream says: the data of its events, parsed. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever was sent
export const framesOf = (stream: string): (string | Record<string, any>)[] =>
  stream
    .split(/\r?\n\r?\n/)
    .filter((block) => block.startsWith('data:'))
    .map((block) => block.slice(5).trim())
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));

export const textIn = (stream: string): string =>
  framesOf(stream)
    .map((frame) => (typeof frame === 'string' ? '' : (frame['choices']?.[0]?.delta?.content ?? '')))
    .join('');
