import * as z from 'zod';
import { AwsFault } from '../fault.ts';

/** Entries of an SQS batch are judged one by one; what is wrong with the batch itself refuses it whole. */
export const batchOf = <S extends z.ZodRawShape>(entry: S) =>
  z.object({ QueueUrl: z.string(), Entries: z.array(z.object({ Id: z.string(), ...entry })).default([]) });

export function runBatch<Entry extends { Id: string }>(
  entries: readonly Entry[],
  each: (entry: Entry) => object | void,
) {
  checkBatch(entries);
  const results = entries.map((entry) => attempt(entry, each));
  return {
    Successful: results.flatMap((result) => ('done' in result ? [result.done] : [])),
    Failed: results.flatMap((result) => ('failed' in result ? [result.failed] : [])),
  };
}

function checkBatch(entries: readonly { Id: string }[]) {
  if (entries.length === 0) throw new AwsFault('EmptyBatchRequest', 'The batch request has no entries.');
  if (entries.length > 10) throw new AwsFault('TooManyEntriesInBatchRequest', 'A batch has at most 10 entries.');
  if (entries.some(({ Id }) => !/^[\w-]{1,80}$/.test(Id)))
    throw new AwsFault('InvalidBatchEntryId', 'A batch entry id has 1 to 80 letters, digits, hyphens and underscores.');
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw new AwsFault('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same id.');
}

function attempt<Entry extends { Id: string }>(entry: Entry, each: (entry: Entry) => object | void) {
  try {
    return { done: { Id: entry.Id, ...each(entry) } };
  } catch (error) {
    if (!(error instanceof AwsFault)) throw error;
    return { failed: { Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message } };
  }
}
