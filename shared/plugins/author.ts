/**
 * What authors of plugins write against. A plugin is one ES module without imports:
 *
 *   export const plugin = definePlugin({ name: 'Shout', inlet: (body) => ({ ...body, loud: true }) });
 *
 * These types vanish before anything runs; `definePlugin` is there by itself inside the sandbox.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type Body = Record<string, unknown>;
type Maybe<T> = T | Promise<T>;

export interface UiEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** The answer to a question: a text that is also its own `value` entry. Cancelling gives `false`. */
export type Entered = (string & { readonly value: string }) | false;

/** The last argument of every function of a plugin. */
export interface PluginContext {
  /** What operators have set, laid over the defaults of the plugin. */
  readonly valves: Readonly<Record<string, unknown>>;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: string;
    /** What the user has set, laid over the defaults of the plugin. */
    readonly valves: Readonly<Record<string, unknown>>;
  };
  readonly model: { readonly id: string };
  readonly id: string;
  readonly chat_id?: string;
  readonly message_id?: string;
  readonly session_id?: string;
  /** The gateway's own fields of the request: `features`, `files`, `tool_ids`, `variables` … */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Tells the tabs of the user something and goes on. */
  emit(event: UiEvent): Promise<void>;
  /** Asks the tab that wants the reply and waits for its answer; throws when there is none in time. */
  ask(event: UiEvent): Promise<unknown>;
  readonly __event_emitter__: PluginContext['emit'];
  readonly __event_call__: PluginContext['ask'];
  /** Public addresses only, unless an operator allows others by name. */
  fetch(url: string, options?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<Fetched>;
}

export interface Fetched {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Readonly<Record<string, string>>;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

/** A default value, or a property in the words of JSON Schema with a `default`. */
export type Valves = Readonly<Record<string, Json>>;

interface Described {
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  readonly icon?: string;
  readonly valves?: Valves;
  readonly userValves?: Valves;
}

export interface FilterPlugin extends Described {
  /** Lower runs first; the same number, in the order of the ids. A valve `priority` takes its place. */
  readonly priority?: number;
  /** Runs only when a request names it in `filter_ids`. */
  readonly toggle?: boolean;
  /** Deals with the `files` of a request itself; they are in `metadata.files`, and nobody else looks at them. */
  readonly file_handler?: boolean;
  inlet?(body: Body, context: PluginContext): Maybe<Body | undefined>;
  /** One chunk of a streamed answer; nothing drops it. */
  stream?(chunk: Body, context: PluginContext): Maybe<Body | null | undefined>;
  outlet?(body: Body, context: PluginContext): Maybe<Body | undefined>;
}

type Piped = string | Body | Iterable<string | Body> | AsyncIterable<string | Body>;

export interface PipePlugin extends Described {
  pipe(body: Body, context: PluginContext): Maybe<Piped>;
  /** Several models of one plugin, listed as `<plugin>.<id>`. */
  readonly pipes?:
    | readonly { readonly id: string; readonly name?: string }[]
    | ((context: PluginContext) => Maybe<readonly { readonly id: string; readonly name?: string }[]>);
}

export interface ToolPlugin extends Described {
  readonly tools: Readonly<
    Record<
      string,
      {
        readonly description: string;
        /** JSON Schema of an object. */
        readonly parameters?: Readonly<Record<string, Json>>;
        run(args: Record<string, unknown>, context: PluginContext): unknown;
      }
    >
  >;
}

export interface ActionPlugin extends Described {
  readonly actions?: readonly { readonly id: string; readonly name?: string; readonly icon?: string }[];
  action(body: Body, context: PluginContext & { readonly sub_id?: string }): unknown;
}

export type Plugin = FilterPlugin | PipePlugin | ToolPlugin | ActionPlugin;

declare global {
  function definePlugin<P extends Plugin>(plugin: P): P;
}
