import type { UserActor } from '../identity/actor.ts';
import type { Fields } from '../llm/turn.ts';
import type { Extension } from './own-fields.ts';
import type { Speak } from './speech.ts';
import type { Target } from './target.ts';

/** One request on its way: who asks which model, where the answer belongs, and what was asked of plugins. */
export interface Scope {
  readonly actor: UserActor;
  readonly target: Target;
  readonly chatId?: string;
  readonly messageId?: string;
  readonly sessionId?: string;
  /** The gateway's own fields of the request: `tool_ids`, `filter_ids`, `features`, `files` … */
  readonly asked: Fields;
}

/** Something between caller and model. Bodies and chunks are those of the chat-completions format. */
export interface Filter {
  readonly id: string;
  /** May change the request. */
  readonly inlet?: (body: Fields, scope: Scope) => Promise<Fields>;
  /** May change one chunk of a streamed answer; undefined swallows it. */
  readonly stream?: (chunk: Fields, scope: Scope) => Promise<Fields | undefined>;
  /** May change the finished conversation. */
  readonly outlet?: (payload: Fields, scope: Scope) => Promise<Fields>;
}

/** What can be plugged in between callers and models. The order is the order of the list. */
export interface Plugins {
  /** Which filters wrap this request. */
  readonly filters: readonly ((scope: Scope) => Promise<readonly Filter[]>)[];
  /** Stand around the model and may ask it again, as a loop of tool calls does. Undefined leaves it as it is. */
  readonly wraps: readonly ((speak: Speak, scope: Scope) => Promise<Speak | undefined>)[];
  /** The fields of a request that these plugins carry out; others are refused. */
  readonly offers: ReadonlySet<Extension>;
}

export const NO_PLUGINS: Plugins = { filters: [], wraps: [], offers: new Set() };
