import type * as z from 'zod';
import { checkShape } from './check-shape.ts';
import type { GraphNode, SubGraph } from './graph.ts';
import { MapConfig } from './kinds/map.ts';
import type { ConfigText } from './kinds/spec.ts';
import { isNodeKind, kindSpec, type NodeKind } from './kinds/table.ts';
import { AgentConfig, ToolConfig } from './kinds/work.ts';
import { within, type GraphProblem } from './problem.ts';
import { ancestorsOf, topologyOf, type Topology } from './topology.ts';

/** What a text may name where it stands. */
export interface TextScope {
  readonly names: readonly string[];
  /** Nodes whose output is there by then. */
  readonly upstream: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

export type TextProblem = Pick<GraphProblem, 'code' | 'message' | 'position'>;

export interface ConfigContext extends TextScope {
  readonly topology: Topology;
  readonly checkText: (text: ConfigText, scope: TextScope) => readonly TextProblem[];
  readonly isKnownTool: (toolId: string) => boolean;
}

/** What is wrong with how one node is configured. */
export function checkConfig(node: GraphNode, graph: SubGraph, context: ConfigContext): GraphProblem[] {
  if (!isNodeKind(node.kind)) return [];
  const given = graph.configs[node.id] ?? {};
  const parsed = kindSpec(node.kind).config.safeParse(given);
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => issueProblems(node.id, issue));
  return [
    ...checkHandles(node, node.kind, parsed.data, context.topology),
    ...checkTexts(node, kindSpec(node.kind).texts(parsed.data), context),
    ...checkTools(node, given, context),
    ...(node.kind === 'map' ? checkBody(node, MapConfig.parse(given), context) : []),
  ];
}

function issueProblems(node_id: string, issue: z.core.$ZodIssue): GraphProblem[] {
  const at = (path: readonly PropertyKey[], message: string): GraphProblem => ({
    code: 'bad_config',
    node_id,
    path: ['configs', node_id, ...path.map(String)].join('.'),
    message,
  });
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => at([...issue.path, key], `"${key}" is not a field of this kind of node`));
  }
  const reason = issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined;
  return [at(issue.path, reason ?? issue.message)];
}

function checkHandles(node: GraphNode, kind: NodeKind, config: unknown, { outgoing }: Topology): GraphProblem[] {
  const ways = kindSpec(kind).handles(config);
  const offered = branchesOnError(config) ? [...ways, 'error'] : ways;
  return (outgoing.get(node.id) ?? [])
    .filter(({ source_handle }) => !offered.includes(source_handle))
    .filter(() => kind !== 'end')
    .map((edge) => ({
      code: 'bad_handle',
      path: 'edges',
      edge_id: edge.id,
      node_id: node.id,
      message: `"${node.id}" has no way out called "${edge.source_handle}"; it has ${offered.join(', ')}`,
    }));
}

const branchesOnError = (config: unknown) =>
  typeof config === 'object' && config !== null && 'on_error' in config && config.on_error === 'branch';

const checkTexts = ({ id }: GraphNode, texts: readonly ConfigText[], context: ConfigContext): GraphProblem[] =>
  texts.flatMap((text) =>
    context.checkText(text, context).map((problem) => ({
      ...problem,
      node_id: id,
      path: ['configs', id, ...text.path].join('.'),
    })),
  );

function checkTools({ id, kind }: GraphNode, given: unknown, { isKnownTool }: ConfigContext): GraphProblem[] {
  const used =
    kind === 'agent'
      ? AgentConfig.parse(given).tools.map(({ tool_id }, at) => ({ tool_id, path: `tools.${at}.tool_id` }))
      : kind === 'tool'
        ? [{ tool_id: ToolConfig.parse(given).tool_id, path: 'tool_id' }]
        : [];
  return used
    .filter(({ tool_id }) => !isKnownTool(tool_id))
    .map(({ tool_id, path }) => ({
      code: 'unknown_tool',
      node_id: id,
      path: `configs.${id}.${path}`,
      message: `There is no tool called "${tool_id}"`,
    }));
}

const UNFIT_FOR_BODIES = ['map', 'human'];

/** The graph inside a map node is a graph of its own; it also sees the item and what came before the map. */
function checkBody(node: GraphNode, { body }: MapConfig, outer: ConfigContext): GraphProblem[] {
  const topology = topologyOf(body);
  const known = new Set([...outer.known, ...body.nodes.map(({ id }) => id)]);
  const unfit = body.nodes
    .filter(({ kind }) => UNFIT_FOR_BODIES.includes(kind))
    .map(({ id, kind }) => ({
      code: 'bad_config' as const,
      path: 'nodes',
      node_id: id,
      message: `A ${kind} node cannot stand inside a map`,
    }));
  const inner = body.nodes
    .filter(({ kind }) => !UNFIT_FOR_BODIES.includes(kind))
    .flatMap((one) => {
      const upstream = new Set([...outer.upstream, ...ancestorsOf(topology, one.id)]);
      const names = [...outer.names, 'item', 'index'];
      return checkConfig(one, body, { ...outer, topology, known, upstream, names });
    });
  return [...unfit, ...checkShape(body, topology), ...inner].map((problem) =>
    within(`configs.${node.id}.body`, { ...problem, node_id: problem.node_id && `${node.id}.${problem.node_id}` }),
  );
}
