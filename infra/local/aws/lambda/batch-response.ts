import * as z from 'zod';

const Response = z.object({
  batchItemFailures: z
    .array(z.object({ itemIdentifier: z.string().min(1) }))
    .nullish()
    .transform((failures) => failures ?? []),
});

/** Items a function reports as failed. As in Lambda, a report that cannot be read, or names a stranger, fails the whole batch. */
export function failedItems(response: unknown, ids: readonly string[]): ReadonlySet<string> {
  if (response === undefined || response === null || !isReport(response)) return new Set();
  const failed = Response.parse(response).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  const stranger = failed.find((id) => !ids.includes(id));
  if (stranger !== undefined) throw new Error(`The function reports an item it was not given: ${stranger}`);
  return new Set(failed);
}

const isReport = (response: unknown) =>
  typeof response === 'object' && response !== null && 'batchItemFailures' in response;
