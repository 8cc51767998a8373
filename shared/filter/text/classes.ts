import { isPrintable } from './quote.ts';
import { isWhitespace } from './whitespace.ts';

const ALPHA = /^\p{L}$/u;
const DECIMAL = /^\p{Nd}$/u;
const UPPER = /^\p{Uppercase}$/u;
const LOWER = /^\p{Lowercase}$/u;
const TITLE = /^\p{Lt}$/u;
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const DIGIT =
  /^[\p{Nd}\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]$/u;
// Besides Unicode's numbers, the Chinese characters that write one.
const NUMERIC =
  /^[\p{N}\u3405\u3483\u382a\u3b4d\u4e00\u4e03\u4e07\u4e09\u4e5d\u4e8c\u4e94\u4e96\u4ebf\u4edf\u4ee8\u4f0d\u4f70\u5104\u5146\u5169\u516b\u516d\u5341\u5343-\u5345\u534c\u53c1-\u53c4\u56db\u58f1\u58f9\u5e7a\u5efe\u5eff\u5f0c-\u5f0e\u5f10\u62fe\u634c\u67d2\u6f06\u7396\u767e\u8086\u842c\u8cae\u8cb3\u8d30\u9621\u9646\u964c\u9678\u96f6\u4ec0\uf96b\uf973\uf978\uf9b2\uf9d1\uf9d3\uf9fd\u{20001}\u{20064}\u{200e2}\u{20121}\u{2092a}\u{20983}\u{2098c}\u{2099c}\u{20aea}\u{20afd}\u{20b19}\u{22390}\u{22998}\u{23b1b}\u{2626d}\u{2f890}]$/u;

type Test = (text: string) => boolean;

/** True for text that has characters, all of which pass. */
const every =
  (passes: Test): Test =>
  (text) =>
    text !== '' && everyOf(text, passes);

function everyOf(text: string, passes: Test): boolean {
  for (const char of text) if (!passes(char)) return false;
  return true;
}

export const isAlpha = every((char) => ALPHA.test(char));
export const isDecimal = every((char) => DECIMAL.test(char));
export const isDigit = every((char) => DIGIT.test(char));
export const isNumeric = every((char) => NUMERIC.test(char));
export const isAlphanumeric = every((char) => ALPHA.test(char) || NUMERIC.test(char));
export const isSpace = every(isWhitespace);
export const isAscii: Test = (text) => /^\p{ASCII}*$/u.test(text);
export const isPrintableText: Test = (text) => everyOf(text, isPrintable);
export const isIdentifier: Test = (text) => IDENTIFIER.test(text);

const isCapital: Test = (char) => UPPER.test(char) || TITLE.test(char);

export const isLower: Test = (text) => hasOneCase(text, LOWER, isCapital);
export const isUpper: Test = (text) => hasOneCase(text, UPPER, (char) => LOWER.test(char) || TITLE.test(char));

function hasOneCase(text: string, wanted: RegExp, isOther: Test): boolean {
  let found = false;
  for (const char of text) {
    if (isOther(char)) return false;
    found ||= wanted.test(char);
  }
  return found;
}

/** Capitals stand only at the start of words, and small letters only after them. */
export function isTitle(text: string): boolean {
  let [isInWord, found] = [false, false];
  for (const char of text) {
    const starts = isCapital(char);
    const continues = LOWER.test(char);
    if ((starts && isInWord) || (continues && !isInWord)) return false;
    isInWord = starts || continues;
    found ||= isInWord;
  }
  return found;
}
