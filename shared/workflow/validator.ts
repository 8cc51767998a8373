import { checkText } from './check-text.ts';
import type { Graph } from './graph.ts';
import type { Verdict } from './problem.ts';
import { isBuiltInTool } from './tools.ts';
import { validateGraph } from './validate.ts';

/** Validation with what this installation offers. */
export const validate = (graph: Graph): Verdict => validateGraph(graph, { checkText, isKnownTool: isBuiltInTool });
