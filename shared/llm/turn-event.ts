import type { ModelError } from './model-error.ts';
import type { Fields } from './turn.ts';

/**
 * What a model says while it answers, free of any wire format.
 * A stream ends with one `finish` or one `error`; `usage` may repeat before it and the last one counts.
 * Tool calls come one after the other (start, deltas, end), numbered from 0; only usage may come inside one.
 */
export type TurnEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly signature?: string }
  | { readonly type: 'tool_start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool_delta'; readonly index: number; readonly arguments: string }
  | { readonly type: 'tool_end'; readonly index: number }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** Fields beside the answer (sources, the model an arena chose). Formats without room for them leave them out. */
  | { readonly type: 'extra'; readonly fields: Fields }
  /** A tool that the gateway itself runs for the model: said when it begins, and again with what came of it. No caller is told. */
  | { readonly type: 'tool_run'; readonly call: ToolCall; readonly result?: ToolOutcome }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string }
  | { readonly type: 'error'; readonly error: ModelError };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What a tool gave back, as the model reads it. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError?: boolean;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export interface Usage {
  /** All tokens of the prompt, cached ones included. */
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cacheCreated?: number;
  readonly reasoning?: number;
  /** Whatever else the upstream counted, under its own names. */
  readonly extra?: Fields;
}
