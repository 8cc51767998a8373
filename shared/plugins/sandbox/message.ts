import * as z from 'zod';
import { parseJson } from '../../llm/json-value.ts';

/** What crosses the border of a sandbox. Always as JSON text: no object of one side ever reaches the other. */
export type ToSandbox =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string };

/** The plugin as data: everything of its definition that is not a function, and the names of its functions. */
const PluginShape = z.object({
  definition: z.record(z.string(), z.unknown()),
  /** Dotted paths, such as `inlet` or `tools.weather.run`. */
  methods: z.array(z.string()),
});
export type PluginShape = Readonly<z.output<typeof PluginShape>>;

const FromSandbox = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), plugin: PluginShape }),
  z.object({ type: z.literal('refused'), error: z.string() }),
  z.object({ type: z.literal('result'), id: z.number(), value: z.unknown().optional(), error: z.string().optional() }),
  z.object({ type: z.literal('part'), id: z.number(), value: z.unknown().optional() }),
  z.object({
    type: z.literal('ask'),
    id: z.number(),
    call: z.number(),
    name: z.string(),
    data: z.unknown().optional(),
  }),
  z.object({ type: z.literal('log'), level: z.enum(['info', 'warn', 'error']), text: z.string() }),
]);
export type FromSandbox = z.output<typeof FromSandbox>;

/** A plugin can bend the objects of its own realm, so whatever comes out is looked at like any other input. */
export const readMessage = (text: unknown): FromSandbox | undefined =>
  typeof text === 'string' ? FromSandbox.safeParse(parseJson(text)).data : undefined;
