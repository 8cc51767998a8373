import type { Fields } from '../llm/turn.ts';

/** What came back from a tool. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
  /** Pictures for the model to look at, as web addresses or `data:` URLs. */
  readonly images?: readonly string[];
  /** HTML or addresses for the user to look at. */
  readonly embeds?: readonly string[];
}

/** Something a model can have done. */
export interface Tool {
  /** Where it comes from: the id by which requests name it. */
  readonly source: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Fields;
  /** Shown to the user as the origin of what the model says. Not for tools that tell nothing. */
  readonly isCited: boolean;
  run(args: Fields, signal: AbortSignal): Promise<ToolResult>;
}

/** A value of any kind as text for a model. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
