import * as z from 'zod';
import { invalidField } from '../errors.ts';
import type { PluginShape } from './sandbox/message.ts';

const Name = z.string().min(1).max(256);
const Text = z.string().max(20_000);
const SubId = z.string().regex(/^[\w:-]{1,128}$/);
const Fields = z.record(z.string(), z.unknown());

/** A plugin as data, read from the module itself: what it is, what it offers and what can be set. */
export const Definition = z.object({
  name: Name.optional(),
  description: Text.default(''),
  version: z.string().max(64).optional(),
  icon: z.string().max(200_000).optional(),
  priority: z.number().default(0),
  toggle: z.boolean().default(false),
  file_handler: z.boolean().default(false),
  valves: Fields.default({}),
  userValves: Fields.default({}),
  pipes: z
    .array(z.object({ id: SubId, name: Name.optional() }))
    .max(500)
    .optional(),
  actions: z
    .array(z.object({ id: SubId, name: Name.optional(), icon: z.string().max(200_000).optional() }))
    .max(100)
    .optional(),
  tools: z
    .record(
      z.string().regex(/^[a-zA-Z_][\w-]{0,63}$/),
      z.object({ description: Text, parameters: z.looseObject({ type: z.literal('object') }).optional() }),
    )
    .optional(),
});
export type Definition = z.output<typeof Definition>;

export const KINDS = ['filter', 'pipe', 'action', 'tool'] as const;
export type Kind = (typeof KINDS)[number];

export interface Described {
  readonly kind: Kind;
  readonly definition: Definition;
  readonly methods: string[];
}

/** Says what kind of plugin a module holds; whoever uploads something else learns what is missing. */
export function describePlugin({ definition, methods }: PluginShape): Described {
  const result = Definition.safeParse(definition);
  if (!result.success) throw refused(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  const kind = kindOf(methods, result.data);
  if (!kind)
    throw refused(['The plugin has none of the functions inlet, stream, outlet, pipe, action or tools.<name>.run']);
  const silent = Object.keys(result.data.tools ?? {}).find((name) => !methods.includes(`tools.${name}.run`));
  if (silent !== undefined) throw refused([`tools.${silent}: has no function run`]);
  return { kind, definition: result.data, methods: [...methods] };
}

function kindOf(methods: readonly string[], { tools }: Definition): Kind | undefined {
  if (tools && Object.keys(tools).length > 0) return 'tool';
  if (methods.includes('pipe')) return 'pipe';
  if (methods.includes('action')) return 'action';
  return ['inlet', 'stream', 'outlet'].some((name) => methods.includes(name)) ? 'filter' : undefined;
}

export const refused = (reasons: readonly string[]) =>
  invalidField(['body', 'content'], reasons.join('; ').slice(0, 2000), 'plugin_refused');
