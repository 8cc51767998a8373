import { conflict, notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import type { Draft, WorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import type { VersionRow, WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import type { Commit, Doer } from './changes.ts';

export type Committed =
  | { readonly outcome: 'done'; readonly workflow: WorkflowRow; readonly version: VersionRow | undefined }
  /** `newer` is what stands there now, when the database told. */
  | { readonly outcome: 'outrun'; readonly newer: WorkflowRow | undefined };

export interface WorkflowWriter {
  create(workflow: WorkflowRow, graph: Graph): Promise<void>;
  commit(draft: Draft, commit: Commit, doer: Doer): Promise<Committed>;
}

export interface ChangingParts {
  readonly reader: WorkflowReader;
  readonly writer: WorkflowWriter;
  readonly now: () => number;
  readonly newId: () => string;
  readonly pause: (ms: number) => Promise<void>;
}

export type Done = Extract<Committed, { outcome: 'done' }> & { readonly graph: Graph };
export type Decide = (draft: Draft, doer: Doer) => Commit | Promise<Commit>;

/** How every action comes about: read, decide, write in one transaction; whoever is outrun decides again. */
export interface Changing {
  readonly load: (actor: UserActor, id: string) => Promise<Draft>;
  readonly change: (actor: UserActor, id: string, decide: Decide) => Promise<Done>;
}

const MAX_ATTEMPTS = 300;

export function createChanging({ reader, writer, now, newId, pause }: ChangingParts): Changing {
  const load = async (actor: UserActor, id: string) => {
    const draft = await reader.draft(tenantOf(actor), id);
    if (!draft) throw notFound('Workflow');
    return draft;
  };
  return {
    load,
    async change(actor, id, decide) {
      let draft = await load(actor, id);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const doer = { who: personOf(actor), now: now(), newId };
        const commit = await decide(draft, doer);
        const result = await writer.commit(draft, commit, doer);
        if (result.outcome === 'done') return { ...result, graph: commit.graph ?? draft.graph };
        await pause(Math.random() * Math.min(50, 2 * attempt));
        draft = stillCurrent(draft, result.newer) ?? (await load(actor, id));
      }
      throw conflict('Too many changes to the same workflow at once; try again');
    },
  };
}

/** A snapshot raises only the counter: the graph that was read is still the graph. */
const stillCurrent = (draft: Draft, newer: WorkflowRow | undefined): Draft | undefined =>
  newer && !newer.deleting && newer.revision === draft.workflow.revision ? { ...draft, workflow: newer } : undefined;

export const personOf = ({ userId, name }: UserActor) => ({ user_id: userId, name });
