import { batchGet, type Wanted } from './batch.ts';
import type { Row } from './table.ts';

/**
 * The same as `batchGet`, for reads that every request makes: those that are asked for while one is under way go together
 * as the next one, and rows that several of them want are read once. No answer is older than its question.
 */
export function createGatheredGet(): (wanted: readonly Wanted[]) => Promise<(Row | undefined)[]> {
  let waiting: Question[] = [];
  let isBusy = false;

  const send = async () => {
    const asked = waiting;
    waiting = [];
    isBusy = true;
    try {
      answer(asked, await batchGet(asked.flatMap(({ wanted }) => wanted)));
    } catch {
      // What is wrong with one question must not be held against the others.
      for (const { wanted, resolve, reject } of asked) batchGet(wanted).then(resolve, reject);
    } finally {
      isBusy = false;
      if (waiting.length > 0) void send();
    }
  };
  return (wanted) =>
    new Promise((resolve, reject) => {
      waiting.push({ wanted, resolve, reject });
      if (!isBusy) void send();
    });
}

interface Question {
  readonly wanted: readonly Wanted[];
  readonly resolve: (rows: (Row | undefined)[]) => void;
  readonly reject: (error: unknown) => void;
}

function answer(questions: readonly Question[], rows: readonly (Row | undefined)[]) {
  let at = 0;
  for (const { wanted, resolve } of questions) resolve(rows.slice(at, (at += wanted.length)));
}
