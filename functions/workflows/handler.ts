import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthenticate } from '../../shared/identity/authenticate.ts';
import { newId } from '../../shared/ids.ts';
import { httpHandler } from '../../shared/lambda/family.ts';
import { createSeal } from '../../shared/seal/seal.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { CatalogRow } from '../../shared/workflow/catalog.ts';
import { demandUsable } from '../../shared/workflow/context-reader.ts';
import { catalogKey, spaceKey } from '../../shared/workflow/keys.ts';
import { markDeleted, purgeWorkflow } from '../../shared/workflow/purge.ts';
import { SpaceRow } from '../../shared/workflow/space.ts';
import { validate } from '../../shared/workflow/validator.ts';
import { createWorkflowReader } from '../../shared/workflow/workflow-reader.ts';
import { workflowsApi } from './api.ts';
import { createCatalogs } from './catalogs.ts';
import { createChanging } from './changing.ts';
import { createContextStore } from './context-store.ts';
import { createWorkflowLists } from './list-store.ts';
import { countAdmins, membersAmong } from './organization-store.ts';
import { createPublishing } from './publishing.ts';
import { createWorkflows } from './service.ts';
import { createSpaces } from './spaces.ts';
import { createWorkflowWriter } from './store.ts';
import { createVersions } from './versions.ts';

const settings = await loadSettings();
const spill = createSpill();
const reader = createWorkflowReader(spill);

const writing = { reader, writer: createWorkflowWriter(spill), now, newId, pause: (ms: number) => sleep(ms) };
const changing = createChanging(writing);

const workflows = createWorkflows({
  ...writing,
  changing,
  demandUsable,
  async remove(tenant, workflowId) {
    const isThere = await markDeleted({ tenant, workflowId }, now());
    if (isThere) await purgeWorkflow(spill, { tenant, workflowId });
    return isThere;
  },
});

const publishing = createPublishing({
  changing,
  validate,
  membersAmong,
  demandUsable,
  reviewersOf: async (orgId) => ({
    activeAdmins: await countAdmins(orgId),
    mustDiffer: settings.WORKFLOW_REVIEWER_MUST_DIFFER,
  }),
});

export const endpoints = workflowsApi(
  {
    workflows,
    changing,
    publishing,
    versions: createVersions({ changing, reader }),
    lists: createWorkflowLists(),
    catalogs: createCatalogs({ store: createContextStore(CatalogRow, catalogKey), seal: createSeal(), now, newId }),
    spaces: createSpaces({ store: createContextStore(SpaceRow, spaceKey), now, newId }),
    validate,
  },
  createAuthenticate(settings, now),
);

export const handler = httpHandler(endpoints, settings);
