import { COMMON_WORDS } from './blocklist-words.ts';

/** Passwords that guessing programs try first: common words with the usual decoration, keyboard walks, repeats, dates. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (isRepeated(text, 4) || isWalk(text) || DATE.test(text)) return true;
  return [text, withoutDecoration(text), withoutDecoration(plain(text)), plain(withoutDecoration(text))].some(isWord);
}

/** A password that is somebody's name, address or company with next to nothing added. */
export function isMadeOf(password: string, words: readonly string[]): boolean {
  const text = lettersOf(password);
  return words
    .flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
    .map(lettersOf)
    .filter((word) => word.length >= 4)
    .some((word) => text.replaceAll(word, '').length < 4);
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const isWord = (text: string) =>
  COMMON_WORDS.has(text) || (isRepeated(text, 8) && COMMON_WORDS.has(text.slice(0, shortestPeriod(text))));

const withoutDecoration = (text: string) => {
  const core = text.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  return core.length < 4 ? text : core;
};

const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  $: 's',
  '5': 's',
  '7': 't',
  '!': 'i',
};
const plain = (text: string) => text.replaceAll(/[@401357$!]/g, (sign) => LOOKALIKES[sign] ?? sign);

const isRepeated = (text: string, longest: number) => {
  const period = shortestPeriod(text);
  return period <= longest && period * 2 <= text.length;
};

function shortestPeriod(text: string) {
  for (let length = 1; length < text.length; length += 1) if (text.startsWith(text.slice(length))) return length;
  return text.length;
}

const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';
const DATE = new RegExp(`^(?:${YEAR}${MONTH}${DAY}|${DAY}${MONTH}${YEAR}|${MONTH}${DAY}${YEAR})$`);

const ROWS = [
  '`1234567890-=',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '!@#$%^&*()_+',
];
const RUNS = ROWS.flatMap((row) => [row, row.split('').toReversed().join('')]);

/** Nothing but runs of three or more neighbouring keys or letters. */
function isWalk(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const run = longestRun(text.slice(at));
    if (run < 3) return false;
    at += run;
  }
  return at > 0;
}

function longestRun(text: string) {
  let length = 0;
  while (length < text.length && RUNS.some((row) => row.includes(text.slice(0, length + 1)))) length += 1;
  return length;
}
