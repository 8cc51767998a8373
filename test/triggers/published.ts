import { call } from '../support/call.ts';
import type { Person } from '../support/people.ts';
import { aPublishedWorkflow as publishedWorkflow, BASE } from '../workflows/making.ts';

/** The id of a published workflow. */
export const aPublishedWorkflow = async (person: Person, graph?: object): Promise<string> =>
  (await publishedWorkflow(person, graph)).id;

export const triggers = (workflowId: string) => `${BASE}/${workflowId}/triggers`;

/** Polls until a condition holds; the wait is for the bus, never a guess about its speed. */
export async function eventually<T>(read: () => Promise<T | undefined | false>, what = 'it'): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const found = await read();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within 15 seconds`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
export type Row = any;

/** What became of an event, once every subscription has been looked at. */
export const deliveriesOf = (eventId: string, token: string): Promise<Row[]> =>
  eventually(async () => {
    const { body } = await call(`GET /api/v1/events/${eventId}`, undefined, { token });
    return body.dispatched_at !== null && body.deliveries;
  }, `the dispatch of ${eventId}`);
