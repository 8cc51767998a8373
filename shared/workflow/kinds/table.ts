import * as z from 'zod';
import { condition, end, start, transform } from './flow.ts';
import { map } from './map.ts';
import type { KindSpec } from './spec.ts';
import { agent, emitEvent, http, human, knowledge, tool } from './work.ts';

/** Every kind of node. Adding one is adding a row here and a way to run it. */
export const KINDS = {
  start,
  agent,
  tool,
  http,
  condition,
  transform,
  knowledge,
  emit_event: emitEvent,
  human,
  map,
  end,
} as const;

export type NodeKind = keyof typeof KINDS;
export type ConfigOf<K extends NodeKind> = z.output<(typeof KINDS)[K]['config']>;

export const isNodeKind = (kind: string): kind is NodeKind => Object.hasOwn(KINDS, kind);

/** The row of a kind, for callers that treat all kinds alike. */
export const kindSpec = (kind: NodeKind) => KINDS[kind] as unknown as KindSpec<z.ZodType>;

/** What an editor needs to offer the kinds and draw their forms. */
export const nodeKinds = () =>
  Object.entries(KINDS).map(([kind, spec]) => ({
    kind,
    title: spec.title,
    summary: spec.summary,
    available: !('unavailable' in spec),
    can_disable: !('alwaysOn' in spec),
    config_schema: z.toJSONSchema(spec.config, { io: 'input' }) as Record<string, unknown>,
  }));
