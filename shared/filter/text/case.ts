import { step } from '../budget.ts';

const CASED = /\p{Cased}/u;
const CASE_IGNORABLE = /\p{Case_Ignorable}/u;
const UPPERCASE = /\p{Uppercase}/u;
const LOWERCASE = /\p{Lowercase}/u;
const ASCII_ONLY = /^\p{ASCII}*$/u;
// Georgian has capitals, but no title case.
const GEORGIAN = /[\u10d0-\u10ff]/;
const CHEROKEE = /[\u13a0-\u13fd\uab70-\uabbf]/;
const YPOGEGRAMMENI = '\u0345';

// The 31 letters that have a title case of their own, found under their lower and upper case.
const TITLE_LETTERS = 'ǅǈǋǲ' + 'ᾈᾉᾊᾋᾌᾍᾎᾏ' + 'ᾘᾙᾚᾛᾜᾝᾞᾟ' + 'ᾨᾩᾪᾫᾬᾭᾮᾯ' + 'ᾼῌῼ';
const TITLE: ReadonlyMap<string, string> = new Map(
  Array.from(TITLE_LETTERS).flatMap((letter) =>
    [letter, letter.toLowerCase(), letter.toUpperCase()].map((form) => [form, letter]),
  ),
);

export function titleCase(text: string): string {
  step(text.length / 4);
  if (ASCII_ONLY.test(text)) return text.toLowerCase().replaceAll(/[a-z]+/g, capitalizeAscii);
  return mapLetters(text, (letter, index, letters) => {
    const follows = index > 0 && CASED.test(letters[index - 1] ?? '');
    return follows ? lowerLetter(letter, index, letters) : titleLetter(letter);
  });
}

export function capitalize(text: string): string {
  if (ASCII_ONLY.test(text)) return capitalizeAscii(text.toLowerCase());
  return mapLetters(text, (letter, index, letters) =>
    index === 0 ? titleLetter(letter) : lowerLetter(letter, index, letters),
  );
}

export function swapCase(text: string): string {
  return mapLetters(text, (letter, index, letters) => {
    if (UPPERCASE.test(letter)) return lowerLetter(letter, index, letters);
    return LOWERCASE.test(letter) ? letter.toUpperCase() : letter;
  });
}

export function foldCase(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return mapLetters(text, foldLetter);
}

type MapLetter = (letter: string, index: number, letters: readonly string[]) => string;

function mapLetters(text: string, map: MapLetter): string {
  step(text.length / 2);
  return Array.from(text).map(map).join('');
}

const capitalizeAscii = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Letters whose upper case is longer keep only its first letter high: ß becomes Ss. */
function titleLetter(letter: string): string {
  const known = TITLE.get(letter) ?? (GEORGIAN.test(letter) ? letter : undefined);
  if (known !== undefined) return known;
  const [first = '', ...rest] = letter.toUpperCase();
  if (rest.length === 0 || letter === '\u0149') return letter.toUpperCase();
  if (rest.at(-1) !== 'Ι') return first + rest.join('').toLowerCase();
  // Greek letters with an iota below keep it below.
  return first + rest.slice(0, -1).join('') + YPOGEGRAMMENI;
}

/** A capital sigma at the end of a word has its own lower case. */
function lowerLetter(letter: string, index: number, letters: readonly string[]): string {
  if (letter !== 'Σ') return letter.toLowerCase();
  return isWordEnd(index, letters) ? 'ς' : 'σ';
}

function isWordEnd(index: number, letters: readonly string[]): boolean {
  const before = nearest(index, letters, -1);
  const after = nearest(index, letters, 1);
  return CASED.test(before) && !CASED.test(after);
}

/** The next letter in a direction that matters for case. */
function nearest(index: number, letters: readonly string[], direction: 1 | -1): string {
  let at = index + direction;
  while (CASE_IGNORABLE.test(letters[at] ?? '')) at += direction;
  return letters[at] ?? '';
}

/** Upper and lower case in turn level out the variants of a letter; two scripts go another way. */
function foldLetter(letter: string): string {
  if (letter === 'ı') return letter;
  if (CHEROKEE.test(letter)) return letter.toUpperCase();
  return letter.toLowerCase().toUpperCase().toLowerCase();
}
