/**
 * A request to a model, free of any wire format. Every format decodes into it and encodes from it, so a caller's
 * format and an upstream's format never need to know each other.
 */
export interface Turn {
  /** The format the caller spoke; `native` and foreign parts only mean something there. */
  readonly origin: Origin;
  readonly model: string;
  /** Leading system text; later system messages stay where they were said. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly params: Params;
  readonly stop: readonly string[];
  readonly stream: boolean;
  /** Whether the caller's format reports token counts at the end of a stream. */
  readonly wantsUsage: boolean;
  readonly responseFormat?: ResponseFormat;
  /** Fields of the caller's format that no other format has. */
  readonly native: Fields;
  /** Fields no format names, kept as they were sent and handed on to every format. */
  readonly extra: Fields;
}

export type Origin = 'chat' | 'messages' | 'responses' | 'runtime';
export type Fields = Readonly<Record<string, unknown>>;

/** Sampling settings under the names the chat-completions format gives them. */
export interface Params {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly seed?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  readonly reasoning_effort?: string;
  readonly parallel_tool_calls?: boolean;
  /** Whether the caller switched thinking on or off without naming an effort. */
  readonly think?: boolean;
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
  readonly extra?: Fields;
}

/** What a person or a tool can show a model. */
export type ContentPart = TextPart | ImagePart | FilePart | ForeignPart;
export type Part = ContentPart | ThinkingPart | ToolCallPart | ToolResultPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly extra?: Fields;
}

/** `url` is a web address or a `data:` URL. */
export interface ImagePart {
  readonly type: 'image';
  readonly url: string;
  readonly detail?: string;
  readonly extra?: Fields;
}

export interface FilePart {
  readonly type: 'file';
  readonly url: string;
  readonly filename?: string;
}

/** `signature` is set, perhaps to '', when the text came from the messages format, which signs its thinking. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  readonly signature?: string;
  /** Thinking its model keeps to itself, as the sealed text it wants back. */
  readonly redacted?: string;
}

/** `arguments` is the JSON text as the model wrote it, which need not be valid. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly extra?: Fields;
}

export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly id: string;
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
  readonly extra?: Fields;
}

/** A content kind only its own format has; it goes back out in that format and is refused by the others. */
export interface ForeignPart {
  readonly type: 'foreign';
  readonly origin: Origin;
  readonly value: Fields;
}

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Fields;
  readonly strict?: boolean;
  readonly extra?: Fields;
}

export type Tool = FunctionTool | ForeignPart;
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type ResponseFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'json_schema';
      readonly schema: Fields;
      readonly name?: string;
      readonly description?: string;
      readonly strict?: boolean;
    };
