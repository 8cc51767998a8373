import { BUILTINS } from './builtins/table.ts';
import { FilterSyntaxError } from './errors.ts';
import { compileNode } from './evaluator/compile-node.ts';
import type { Run } from './evaluator/scope.ts';
import { freeNames } from './names.ts';
import type { Node } from './syntax/node.ts';
import { parse } from './syntax/parse.ts';

/** A compiled expression. It keeps no state: it can be cached and evaluated any number of times. */
export interface Expression {
  readonly source: string;
  readonly root: Node;
  /** The variables it needs: what it reads and neither binds itself nor finds among the built-ins. */
  readonly names: readonly string[];
  /** All that it reads from outside; a variable may also hide a built-in. */
  readonly reads: readonly string[];
  readonly run: Run;
}

/** Lines and columns count from 1, the offset from 0. */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export type Compiled = { readonly ok: true; readonly expression: Expression } | Refused;
export interface Refused {
  readonly ok: false;
  readonly error: SyntaxProblem;
}

export function compileFilter(source: string): Compiled {
  try {
    return { ok: true, expression: toExpression(source, parse(source)) };
  } catch (error) {
    return refused(error);
  }
}

/** The variables an expression needs, to be checked against those it will be given. */
export const namesUsed = (expression: Expression): readonly string[] => expression.names;

export function toExpression(source: string, root: Node): Expression {
  const reads = freeNames(root);
  return { source, root, names: reads.filter((name) => !BUILTINS.has(name)), reads, run: compileNode(root) };
}

/** A syntax error as a result; anything else is thrown on. */
export function refused(error: unknown): Refused {
  if (!(error instanceof FilterSyntaxError)) throw error;
  const { message, line, column, offset } = error;
  return { ok: false, error: { message, line, column, offset } };
}
