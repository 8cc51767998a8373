import { setTimeout as sleep } from 'node:timers/promises';
import type { Person } from '../support/people.ts';
import { as, aPublishedWorkflow } from '../workflows/making.ts';

/** Runs for tests: started and looked at as any client would. */

// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
export type Body = any;

export async function startRun(
  person: Person,
  workflowId: string,
  request: object = {},
  headers: Record<string, string> = {},
) {
  const { status, body } = await as(person).call(`POST /${workflowId}/runs`, request, headers);
  if (status !== 202) throw new Error(`Not started: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Asks until the answer is as wanted; the test's own time-out is the limit. */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean, ms = 15_000): Promise<T> {
  const limit = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (Date.now() > limit) throw new Error(`Never became as wanted: ${JSON.stringify(answer)}`);
    await sleep(25);
  }
}

const OVER = ['succeeded', 'failed', 'cancelled'];

export const getRun = async (person: Person, run: { workflow_id: string; run_id: string }): Promise<Body> =>
  (await as(person).call(`GET /${run.workflow_id}/runs/${run.run_id}`)).body;

export const ended = (person: Person, run: { workflow_id: string; run_id: string }, ms?: number): Promise<Body> =>
  until(
    () => getRun(person, run),
    ({ status }) => OVER.includes(status),
    ms,
  );

export const stepsOf = async (
  person: Person,
  run: { workflow_id: string; run_id: string },
): Promise<Record<string, Body>> => {
  const { body } = await as(person).call(`GET /${run.workflow_id}/runs/${run.run_id}/steps?limit=200`);
  return Object.fromEntries(body.data.map((step: { step_id: string }) => [step.step_id, step]));
};

/** Publishes a graph, runs it once and waits for its end. */
export async function runGraph(person: Person, graph: object, request: object = {}) {
  const { id } = await aPublishedWorkflow(person, graph);
  const run = await ended(person, await startRun(person, id, request));
  return { run, steps: await stepsOf(person, run) };
}
