import { when, type Condition } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { filteredPage } from '../../shared/workflow/filtered-page.ts';
import { stagedList, workflowList, workflowPartition } from '../../shared/workflow/keys.ts';
import { Review, VersionRow, WorkflowRow } from '../../shared/workflow/workflow-row.ts';

const table = openTable('workflows');

export interface WorkflowFilter {
  readonly status?: WorkflowRow['status'];
  readonly q?: string;
  readonly space_id?: string;
  readonly archived: boolean;
}

/** The lists of the editor. All are read by key; filters apply within one tenant's own list. */
export interface WorkflowLists {
  workflows(tenant: string, query: WorkflowFilter & CursorPaging): Promise<CursorPage<WorkflowRow>>;
  staged(tenant: string, paging: CursorPaging, keep: (row: WorkflowRow) => boolean): Promise<CursorPage<WorkflowRow>>;
  versions(
    workflow: WorkflowRow,
    query: CursorPaging & { readonly type?: VersionRow['type'] },
  ): Promise<CursorPage<VersionRow>>;
  reviews(
    workflow: WorkflowRow,
    query: CursorPaging & { readonly state?: Review['state'] },
  ): Promise<CursorPage<Review>>;
}

export const createWorkflowLists = (): WorkflowLists => ({
  workflows: listWorkflows,
  staged: (tenant, paging, keep) =>
    filteredPage(table, { pk: stagedList(tenant), index: 'gsi2', ...paging }, (row) => {
      const workflow = WorkflowRow.parse(row);
      return keep(workflow) ? workflow : undefined;
    }),
  versions: (workflow, { type, ...paging }) => {
    const filter = type && when('#type = :type', { type });
    return filteredPage(table, { ...within(workflow, 'V#'), filter, ...paging }, (row) => VersionRow.parse(row));
  },
  reviews: (workflow, { state, ...paging }) => {
    const filter = state && when('#state = :state', { state });
    return filteredPage(table, { ...within(workflow, 'REVIEW#'), filter, ...paging }, (row) => Review.parse(row));
  },
});

const within = ({ tenant, id }: WorkflowRow, prefix: string) => ({
  pk: workflowPartition(tenant, id),
  prefix,
  newestFirst: true,
});

const listWorkflows: WorkflowLists['workflows'] = (tenant, { status, q, space_id, archived, ...paging }) => {
  const filter = all([
    when('#archived = :archived', { archived }),
    ...(status ? [when('#status = :status', { status })] : []),
    ...(q ? [when('contains(#name_lower, :q)', { q: q.toLowerCase() })] : []),
    ...(space_id ? [when('#space_id = :space_id', { space_id })] : []),
  ]);
  const query = { pk: workflowList(tenant), index: 'gsi1', newestFirst: true, filter, ...paging };
  return filteredPage(table, query, (row) => WorkflowRow.parse(row));
};

const all = (conditions: readonly Condition[]) =>
  when(
    conditions.map(({ expression }) => expression).join(' AND '),
    Object.assign({}, ...conditions.map(({ values }) => values)) as Record<string, unknown>,
  );
