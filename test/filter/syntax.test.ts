import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../shared/filter/compile.ts';
import { readFixture } from './python-answer.ts';

interface SyntaxCase {
  readonly source: string;
  readonly compiles: boolean;
}

const cases: readonly SyntaxCase[] = JSON.parse(readFixture('syntax-oracle.json'));

/** Where the grammar differs from CPython 3.11 on purpose. */
const DIFFERENT = {
  'rb"x"': 'bytes are refused',
  'br"\\x"': 'bytes are refused',
  '1j': 'complex numbers are refused',
  'lambda: (yield)': 'generators with yield are refused',
  '[x for x.a in z]': 'loops assign to names only',
  '[x for x[0] in z]': 'loops assign to names only',
  "f'{a['b']}'": 'quotes nest in f-strings, as from 3.12 on',
  ' a': 'blanks around an expression do not matter',
  '\ta': 'blanks around an expression do not matter',
} as const;

describe('the grammar', () => {
  test('accepts and refuses what CPython does, apart from the listed differences', () => {
    const different = cases.filter(({ source, compiles }) => compileFilter(source).ok !== compiles);
    expect(different.map(({ source }) => source).toSorted()).toEqual(Object.keys(DIFFERENT).toSorted());
  });

  test('refuses sources longer than 4096 characters', () => {
    expect(compileFilter(`"${'x'.repeat(4094)}"`).ok).toBe(true);
    expect(problem(`"${'x'.repeat(4095)}"`)).toMatchObject({ message: /longer than 4096/, offset: 4096 });
  });
});

describe('a syntax error', () => {
  test.each([
    ['payload["a"', "'[' was never closed", [1, 12, 11]],
    ['1 +', 'invalid syntax', [1, 4, 3]],
    ['x = 1', 'invalid syntax', [1, 3, 2]],
    ['a b', 'invalid syntax', [1, 3, 2]],
    ['(1,\n 2]', "closing parenthesis ']' does not match opening parenthesis '('", [2, 3, 6]],
    ['[1,\n 2,\n $]', "invalid character '$'", [3, 2, 9]],
    ['"abc', 'unterminated string literal', [1, 1, 0]],
    ['x + "abc', 'unterminated string literal', [1, 5, 4]],
    ['012', 'leading zeros in decimal integer literals are not permitted', [1, 1, 0]],
    ['1 + 3x', 'invalid number literal', [1, 5, 4]],
    ['"ab\\x4"', 'truncated \\x escape', [1, 4, 3]],
    ['f"{a b}"', "f-string: expecting '}'", [1, 6, 5]],
    ['f"{x} {}"', 'f-string: empty expression not allowed', [1, 8, 7]],
    ['f"{a!z}"', 'f-string: invalid conversion character', [1, 6, 5]],
    ['f"{payload[1}"', "closing parenthesis '}' does not match opening parenthesis '['", [1, 13, 12]],
    ['f(a=1, 2)', 'positional argument follows keyword argument', [1, 9, 8]],
    ['import os', 'invalid syntax', [1, 1, 0]],
    ['', 'invalid syntax', [1, 1, 0]],
    ['\n  1 +', 'invalid syntax', [2, 6, 6]],
    ['[x := 1 for x in y]', "assignment expression cannot rebind comprehension iteration variable 'x'", [1, 19, 18]],
  ])('%j is reported where it is', (source, message, [line, column, offset]) => {
    expect(problem(source)).toEqual({ message, line, column, offset });
  });
});

function problem(source: string) {
  const compiled = compileFilter(source);
  return compiled.ok ? undefined : compiled.error;
}
