/** What crosses the border of a sandbox. Always as JSON text: no object of one side ever reaches the other. */
export type ToSandbox =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string };

export type FromSandbox =
  | { readonly type: 'ready'; readonly plugin: PluginShape }
  | { readonly type: 'refused'; readonly error: string }
  | { readonly type: 'result'; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly type: 'part'; readonly id: number; readonly value: unknown }
  | { readonly type: 'ask'; readonly id: number; readonly call: number; readonly name: string; readonly data: unknown }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly text: string };

/** The plugin as data: everything of its definition that is not a function, and the names of its functions. */
export interface PluginShape {
  readonly definition: Readonly<Record<string, unknown>>;
  /** Dotted paths, such as `inlet` or `tools.weather.run`. */
  readonly methods: readonly string[];
}
