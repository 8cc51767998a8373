import { accept, isAt, nested, peek, type Cursor, type Rule } from './cursor.ts';
import type { BinaryOperator, Comparison, ComparisonOperator, Node, UnaryOperator } from './node.ts';
import { parsePrimary } from './primary.ts';

/** How tightly an operator binds; operators of one strength group to the left. */
const STRENGTH: ReadonlyMap<string, { operator: BinaryOperator; strength: number }> = new Map(
  (
    [
      ['|', 1],
      ['^', 2],
      ['&', 3],
      ['<<', 4],
      ['>>', 4],
      ['+', 5],
      ['-', 5],
      ['*', 6],
      ['/', 6],
      ['//', 6],
      ['%', 6],
      ['@', 6],
    ] as const
  ).map(([operator, strength]) => [operator, { operator, strength }]),
);
const COMPARISONS = ['<', '>', '==', '!=', '<=', '>=', 'in'] as const;
const SIGNS = ['-', '+', '~'] as const;

export function parseDisjunction(cursor: Cursor): Node {
  return parseBoolean(cursor, 'or', parseConjunction);
}

function parseConjunction(cursor: Cursor): Node {
  return parseBoolean(cursor, 'and', parseInversion);
}

function parseBoolean(cursor: Cursor, operator: 'and' | 'or', parseOperand: Rule): Node {
  const first = parseOperand(cursor);
  if (!isAt(cursor, operator)) return first;
  const operands = [first];
  while (accept(cursor, operator)) operands.push(parseOperand(cursor));
  return { kind: 'boolean', operator, operands };
}

function parseInversion(cursor: Cursor): Node {
  if (!accept(cursor, 'not')) return parseComparison(cursor);
  return { kind: 'unary', operator: 'not', operand: nested(cursor, () => parseInversion(cursor)) };
}

function parseComparison(cursor: Cursor): Node {
  const first = parseBitwise(cursor);
  const rest: Comparison['rest'][number][] = [];
  for (let operator = acceptComparison(cursor); operator; operator = acceptComparison(cursor)) {
    rest.push({ operator, operand: parseBitwise(cursor) });
  }
  return rest.length > 0 ? { kind: 'comparison', first, rest } : first;
}

function acceptComparison(cursor: Cursor): ComparisonOperator | undefined {
  if (accept(cursor, 'is')) return accept(cursor, 'not') ? 'is not' : 'is';
  if (isAt(cursor, 'not') && isAt(cursor, 'in', 1)) {
    cursor.index += 2;
    return 'not in';
  }
  return COMPARISONS.find((operator) => accept(cursor, operator));
}

export function parseBitwise(cursor: Cursor): Node {
  return parseBinary(cursor, 1);
}

function parseBinary(cursor: Cursor, weakest: number): Node {
  let left = parseSign(cursor);
  for (;;) {
    const token = peek(cursor);
    const binding = token.type === 'operator' ? STRENGTH.get(token.text) : undefined;
    if (binding === undefined || binding.strength < weakest) return left;
    cursor.index += 1;
    left = { kind: 'binary', operator: binding.operator, left, right: parseBinary(cursor, binding.strength + 1) };
  }
}

function parseSign(cursor: Cursor): Node {
  const operator: UnaryOperator | undefined = SIGNS.find((sign) => accept(cursor, sign));
  if (operator === undefined) return parsePower(cursor);
  return { kind: 'unary', operator, operand: nested(cursor, () => parseSign(cursor)) };
}

function parsePower(cursor: Cursor): Node {
  const left = parsePrimary(cursor);
  if (!accept(cursor, '**')) return left;
  return { kind: 'binary', operator: '**', left, right: nested(cursor, () => parseSign(cursor)) };
}
