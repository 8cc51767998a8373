import { sha256 } from './canonical.ts';

/**
 * Rows of the table `workflows`. The tenant (`org:…` or `user:…`) is part of every key.
 *
 * | pk                               | sk                      | what                                            |
 * |----------------------------------|-------------------------|-------------------------------------------------|
 * | WF#tenant#workflow               | META                    | the workflow; gsi1 lists, gsi2 finds staged ones |
 * |                                  | GRAPH#DRAFT             | the working graph                               |
 * |                                  | GRAPH#hash              | a graph that a snapshot keeps                   |
 * |                                  | V#0000000012            | snapshot number 12                              |
 * |                                  | REVIEW#time#id          | one decision                                    |
 * |                                  | TRIGGER#id              | a trigger; goes when the workflow goes          |
 * | RUN#tenant#run                   | META                    | the run; gsi1 by workflow, gsi2 by tenant       |
 * |                                  | WORK                    | only while active: lease; gsi1 active, gsi2 due |
 * |                                  | INPUT                   | what started it, and in the end its output      |
 * |                                  | GRAPH                   | the graph, for a run of a Draft                 |
 * |                                  | STEP#id                 | one node's result, committed once               |
 * |                                  | TURN#step#000001        | one turn of an agent, stored before its tools run |
 * | ACTIVE#tenant#workflow#hash      | A                       | active runs of one correlation id               |
 * | ROOT#tenant#event                | R                       | how many runs one outside event has caused      |
 * | DELIVERY#event                   | SUB#tenant#subscription | what became of event × subscription             |
 * | CATALOGS#tenant, SPACES#tenant   | id                      | connections to models; contexts                 |
 * | TASK#hash of the link's token    | T                       | where a one-time link leads                     |
 */

const PAD = 10;
export const padded = (value: number, width = PAD) => String(value).padStart(width, '0');
/** Milliseconds as text that sorts like the number. */
export const sortableTime = (at: number) => padded(at, 15);

export const workflowPartition = (tenant: string, workflowId: string) => `WF#${tenant}#${workflowId}`;

const inWorkflow = (sk: string) => (tenant: string, workflowId: string) => ({
  pk: workflowPartition(tenant, workflowId),
  sk,
});
export const workflowKey = inWorkflow('META');
export const draftGraphKey = inWorkflow('GRAPH#DRAFT');
export const graphKey = (tenant: string, workflowId: string, hash: string) =>
  inWorkflow(`GRAPH#${hash}`)(tenant, workflowId);
export const versionKey = (tenant: string, workflowId: string, version: number) =>
  inWorkflow(`V#${padded(version)}`)(tenant, workflowId);
export const reviewKey = (tenant: string, workflowId: string, review: { at: number; id: string }) =>
  inWorkflow(`REVIEW#${sortableTime(review.at)}#${review.id}`)(tenant, workflowId);
export const triggerKey = (tenant: string, workflowId: string, triggerId: string) =>
  inWorkflow(`TRIGGER#${triggerId}`)(tenant, workflowId);

export const workflowList = (tenant: string) => `TENANT#${tenant}#WORKFLOWS`;
export const stagedList = (tenant: string) => `TENANT#${tenant}#STAGED`;

export const runPartition = (tenant: string, runId: string) => `RUN#${tenant}#${runId}`;
export const runKey = (tenant: string, runId: string) => ({ pk: runPartition(tenant, runId), sk: 'META' });
export const workKey = (tenant: string, runId: string) => ({ pk: runPartition(tenant, runId), sk: 'WORK' });
export const runInputKey = (tenant: string, runId: string) => ({ pk: runPartition(tenant, runId), sk: 'INPUT' });
export const stepKey = (tenant: string, runId: string, stepId: string) => ({
  pk: runPartition(tenant, runId),
  sk: `STEP#${stepId}`,
});
export const turnPrefix = (stepId: string) => `TURN#${stepId}#`;
export const turnKey = (tenant: string, runId: string, turn: { stepId: string; at: number }) => ({
  pk: runPartition(tenant, runId),
  sk: `${turnPrefix(turn.stepId)}${padded(turn.at, 6)}`,
});

export const runsOfWorkflow = (tenant: string, workflowId: string) => `RUNS#${tenant}#${workflowId}`;
export const runsOfTenant = (tenant: string) => `RUNS#${tenant}`;
export const activeRuns = (tenant: string, workflowId: string) => `ACTIVERUNS#${tenant}#${workflowId}`;

export const activeKey = (tenant: string, workflowId: string, correlationId: string) => ({
  pk: `ACTIVE#${tenant}#${workflowId}#${sha256(correlationId)}`,
  sk: 'A',
});
export const rootKey = (tenant: string, rootEventId: string) => ({ pk: `ROOT#${tenant}#${rootEventId}`, sk: 'R' });
export const taskLinkKey = (tokenHash: string) => ({ pk: `TASK#${tokenHash}`, sk: 'T' });
export const openTasks = (tenant: string) => `TASKS#${tenant}`;

export const catalogKey = (tenant: string, catalogId: string) => ({ pk: `CATALOGS#${tenant}`, sk: catalogId });
export const spaceKey = (tenant: string, spaceId: string) => ({ pk: `SPACES#${tenant}`, sk: spaceId });

/** Due rows are spread, so that no single index partition takes the writes of every run. */
export const DUE_SHARDS = 8;
export const dueShard = (id: string) => `DUE#${Number.parseInt(sha256(id).slice(0, 8), 16) % DUE_SHARDS}`;
export const dueShards = () => Array.from({ length: DUE_SHARDS }, (_, shard) => `DUE#${shard}`);
