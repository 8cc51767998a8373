import { method, takes, type Methods } from '../builtins/signature.ts';
import { allocateText, step } from '../budget.ts';
import { capitalize, foldCase, swapCase, titleCase } from '../text/case.ts';
import * as classes from '../text/classes.ts';

type Convert = (text: string) => string;
type Test = (text: string) => boolean;

const conversion = (name: string, convert: Convert) =>
  method(name, takes([], []), (text: string) => {
    allocateText(text.length);
    return convert(text);
  });

const test = (name: string, passes: Test) =>
  method(name, takes([], []), (text: string) => {
    step(text.length / 8);
    return passes(text);
  });

export const caseMethods: Methods<string> = new Map([
  conversion('lower', (text) => text.toLowerCase()),
  conversion('upper', (text) => text.toUpperCase()),
  conversion('casefold', foldCase),
  conversion('title', titleCase),
  conversion('capitalize', capitalize),
  conversion('swapcase', swapCase),
  test('isalpha', classes.isAlpha),
  test('isalnum', classes.isAlphanumeric),
  test('isascii', classes.isAscii),
  test('isdecimal', classes.isDecimal),
  test('isdigit', classes.isDigit),
  test('isidentifier', classes.isIdentifier),
  test('islower', classes.isLower),
  test('isnumeric', classes.isNumeric),
  test('isprintable', classes.isPrintableText),
  test('isspace', classes.isSpace),
  test('istitle', classes.isTitle),
  test('isupper', classes.isUpper),
]);
