import { AppError, conflict, invalidField, notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import { starterGraph, type Graph } from '../../shared/workflow/graph.ts';
import { demandStorable } from '../../shared/workflow/size.ts';
import type { Version, WorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import type { WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import * as changes from './changes.ts';
import { personOf, type Changing, type ChangingParts, type Done } from './changing.ts';
import type { NewWorkflow, WorkflowChange } from './records.ts';
import { demandOwner } from './review.ts';

type ContextIds = Pick<Graph['settings'], 'catalog_id' | 'space_id'>;

export interface Parts extends ChangingParts {
  readonly changing: Changing;
  /** Whether the catalog and the space exist and this person may use them. */
  readonly demandUsable: (actor: UserActor, ids: ContextIds) => Promise<void>;
  readonly remove: (tenant: string, workflowId: string) => Promise<boolean>;
}

export function createWorkflows(parts: Parts) {
  const { load, change } = parts.changing;
  return {
    create: (actor: UserActor, input: NewWorkflow) =>
      createFrom(parts, actor, {
        graph: changes.mergeGraph(starterGraph(), input),
        name: input.name,
        description: input.description ?? '',
      }),
    edit: (actor: UserActor, id: string, input: EditInput) => editWorkflow(parts, actor, { id, ...input }),
    async duplicate(actor: UserActor, id: string) {
      const { workflow, graph } = await load(actor, id);
      const name = `${workflow.name.slice(0, 190)} (copy)`;
      return createFrom(parts, actor, { graph, name, description: workflow.description });
    },
    discardDraft: (actor: UserActor, id: string) =>
      change(actor, id, async (draft) => {
        const live = draft.workflow.live_version;
        if (!live) throw conflict('The workflow has no published version to return to');
        return changes.discard(draft, await demandVersion(parts.reader, draft.workflow, live.version));
      }),
    setPaused: (actor: UserActor, id: string, paused: boolean) => change(actor, id, () => changes.setPaused(paused)),
    archive: (actor: UserActor, id: string) =>
      change(actor, id, ({ workflow }, doer) => changes.archive(workflow, doer)),
    unarchive: (actor: UserActor, id: string) => change(actor, id, ({ workflow }) => changes.unarchive(workflow)),
    async remove(actor: UserActor, id: string) {
      const { workflow } = await load(actor, id);
      demandOwner(actor, workflow);
      if (!(await parts.remove(workflow.tenant, workflow.id))) throw notFound('Workflow');
    },
  };
}

export type Workflows = ReturnType<typeof createWorkflows>;

interface EditInput {
  readonly input: WorkflowChange;
  readonly revision?: number;
}

function editWorkflow(parts: Parts, actor: UserActor, { id, input, revision }: EditInput & { readonly id: string }) {
  if (input.graph) demandStorable(input.graph);
  return parts.changing.change(actor, id, async (draft, doer) => {
    if (revision !== undefined && revision !== draft.workflow.revision) throw stale(draft.workflow);
    const commit = changes.edit(draft, input, doer);
    if (commit.graph) {
      demandStorable(commit.graph);
      await parts.demandUsable(actor, newReferences(draft.graph, commit.graph));
    }
    return commit;
  });
}

interface Seed {
  readonly graph: Graph;
  readonly name: string;
  readonly description: string;
}

async function createFrom(parts: Parts, actor: UserActor, { graph, name, description }: Seed): Promise<Done> {
  demandStorable(graph);
  await parts.demandUsable(actor, graph.settings);
  const now = parts.now();
  const who = personOf(actor);
  const workflow: WorkflowRow = {
    tenant: tenantOf(actor),
    id: `wf_${parts.newId()}`,
    name,
    description,
    status: 'Draft',
    archived: false,
    paused: false,
    revision: 1,
    version_counter: 0,
    live_version: null,
    ...changes.graphFields(graph),
    user_id: actor.userId,
    org_id: actor.orgId,
    review: null,
    edited_by: who,
    updated_by: who,
    created_at: now,
    updated_at: now,
  };
  await parts.writer.create(workflow, graph);
  return { outcome: 'done', workflow, version: undefined, graph };
}

export async function demandVersion(
  reader: WorkflowReader,
  { tenant, id }: WorkflowRow,
  version: number,
): Promise<Version> {
  const found = await reader.version(tenant, id, version);
  if (!found) throw notFound('Version');
  return found;
}

/** Only what this change brings in is checked: what was there may belong to somebody who has left since. */
const newReferences = ({ settings: before }: Graph, { settings: after }: Graph) => ({
  catalog_id: before.catalog_id === after.catalog_id ? null : after.catalog_id,
  space_id: before.space_id === after.space_id ? null : after.space_id,
});

const stale = ({ revision }: WorkflowRow) =>
  new AppError('stale_version', `The workflow has been changed meanwhile; it is at revision ${revision}`, {
    facts: { revision },
  });

/** `If-Match` carries the revision, with or without quotes. */
export function revisionIn(header: string | null): number | undefined {
  if (header === null || header === '*') return undefined;
  const digits = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header.trim())?.[1];
  if (digits === undefined) throw invalidField(['header', 'If-Match'], 'must be the revision of the workflow');
  return Number(digits);
}
