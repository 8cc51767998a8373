import type { FinishReason } from '../turn-event.ts';

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'end_turn',
} as const satisfies Record<FinishReason, string>;

export const encodeStopReason = (reason: FinishReason = 'stop', stopSequence?: string) =>
  reason === 'stop' && stopSequence !== undefined ? 'stop_sequence' : STOP_REASONS[reason];

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

export const decodeStopReason = (said: string): FinishReason => FINISH_REASONS.get(said) ?? 'stop';
