import { step } from '../budget.ts';
import { BUILTINS } from '../builtins/table.ts';
import { FilterError } from '../errors.ts';
import { attribute } from '../methods/attribute.ts';
import { binaryRule } from '../operators/binary.ts';
import { subscript } from '../operators/subscript.ts';
import { applyUnary } from '../operators/unary.ts';
import type { Node } from '../syntax/node.ts';
import { isTrue } from '../values/truth.ts';
import { ELLIPSIS, type Value } from '../values/value.ts';
import { compileCall } from './compile-call.ts';
import { compileDisplay } from './compile-display.ts';
import { compileComprehension } from './compile-comprehension.ts';
import { compileFormatted } from './compile-formatted.ts';
import { compileLambda } from './compile-lambda.ts';
import { compileBoolean, compileComparison } from './compile-logic.ts';
import { bindInFunction, findName, type Run } from './scope.ts';

/** Turns a syntax tree into nested closures, which run much faster than walking the tree each time. */
export function compileNode(node: Node): Run {
  switch (node.kind) {
    case 'constant':
      return compileConstant(node.value);
    case 'ellipsis':
      return compileConstant(ELLIPSIS);
    case 'name':
      return compileName(node.id);
    case 'attribute':
      return compileAttribute(compileNode(node.object), node.name);
    case 'subscript':
      return compileSubscript(compileNode(node.object), compileNode(node.index));
    case 'unary':
      return compileUnary(node);
    case 'binary':
      return compileBinary(node);
    case 'conditional':
      return compileConditional(node);
    case 'assignment':
      return compileAssignment(node.name, compileNode(node.value));
    case 'boolean':
      return compileBoolean(node.operator, node.operands.map(compileNode));
    case 'comparison':
      return compileComparison(node, compileNode);
    case 'slice':
    case 'list':
    case 'tuple':
    case 'set':
    case 'dict':
      return compileDisplay(node, compileNode);
    case 'fstring':
      return compileFormatted(node.parts, compileNode);
    case 'call':
      return compileCall(node, compileNode);
    case 'lambda':
      return compileLambda(node, compileNode);
    case 'comprehension':
      return compileComprehension(node, compileNode);
  }
}

type NodeOf<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

function compileConstant(value: Value): Run {
  return () => {
    step();
    return value;
  };
}

function compileName(id: string): Run {
  const builtin = BUILTINS.get(id);
  return (scope) => {
    step();
    const bound = findName(scope, id);
    const value = bound === undefined ? builtin : bound;
    if (value === undefined) throw new FilterError('name', `name '${id}' is not defined`);
    return value;
  };
}

const compileAttribute =
  (object: Run, name: string): Run =>
  (scope) =>
    attribute(object(scope), name);

const compileSubscript =
  (object: Run, index: Run): Run =>
  (scope) =>
    subscript(object(scope), index(scope));

function compileUnary({ operator, operand }: NodeOf<'unary'>): Run {
  const run = compileNode(operand);
  return (scope) => applyUnary(operator, run(scope));
}

function compileBinary({ operator, left, right }: NodeOf<'binary'>): Run {
  const [apply, runLeft, runRight] = [binaryRule(operator), compileNode(left), compileNode(right)];
  return (scope) => apply(runLeft(scope), runRight(scope));
}

function compileConditional({ test, whenTrue, whenFalse }: NodeOf<'conditional'>): Run {
  const [runTest, runTrue, runFalse] = [compileNode(test), compileNode(whenTrue), compileNode(whenFalse)];
  return (scope) => (isTrue(runTest(scope)) ? runTrue(scope) : runFalse(scope));
}

const compileAssignment =
  (name: string, run: Run): Run =>
  (scope) => {
    const value = run(scope);
    bindInFunction(scope, name, value);
    return value;
  };
