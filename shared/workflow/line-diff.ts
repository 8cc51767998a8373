export interface LineChange {
  readonly op: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many comparisons the middle is shown as replaced instead of compared. */
const MOST_COMPARISONS = 1_000_000;

export function lineDiff(before: string, after: string): LineChange[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const head = commonLength(a, b, (list, at) => list[at]);
  const tail = commonLength(a.slice(head), b.slice(head), (list, at) => list.at(-1 - at));
  const middle = compare(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...all('same', a.slice(0, head)), ...middle, ...all('same', tail ? a.slice(-tail) : [])];
}

type Pick = (list: readonly string[], at: number) => string | undefined;

function commonLength(a: readonly string[], b: readonly string[], pick: Pick) {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && pick(a, length) === pick(b, length)) length += 1;
  return length;
}

const all = (op: LineChange['op'], lines: readonly string[]): LineChange[] => lines.map((text) => ({ op, text }));

/** The longest common subsequence, read off its table of lengths. */
function compare(a: readonly string[], b: readonly string[]): LineChange[] {
  if (a.length * b.length > MOST_COMPARISONS) return [...all('removed', a), ...all('added', b)];
  const lengths = commonLengths(a, b);
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const out: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left = '', right = ''] = [a[i], b[j]];
    if (left === right) {
      out.push({ op: 'same', text: left });
      [i, j] = [i + 1, j + 1];
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      out.push({ op: 'removed', text: left });
      i += 1;
    } else {
      out.push({ op: 'added', text: right });
      j += 1;
    }
  }
  return [...out, ...all('removed', a.slice(i)), ...all('added', b.slice(j))];
}

/** `table[i][j]` is the length of the longest common subsequence of `a` from `i` and `b` from `j`. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const [row, below] = [table[i], table[i + 1]];
    if (!row || !below) continue;
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
