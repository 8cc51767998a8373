import type { FinishReason } from '../turn-event.ts';

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
]);

/** Servers that say `stop` after calling tools mean `tool_calls`; reasons of their own mean `stop`. */
export function decodeFinishReason(said: string, hasCalls: boolean): FinishReason {
  const reason = REASONS.get(said) ?? 'stop';
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason;
}
