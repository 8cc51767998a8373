import { readConnections, type SavedConnections } from '../connections/store.ts';
import { systemClock } from '../time.ts';
import { createFresh, type Fresh } from './fresh.ts';
import { PLATFORM, type ModelRow } from './model-row.ts';
import { readModels } from './model-store.ts';

/** What operators have saved: connections, what they last listed, and described models. */
export interface PlatformDirectory extends SavedConnections {
  readonly models: ReadonlyMap<string, ModelRow>;
}

/**
 * A completion needs these rows before its first byte goes out, so every process keeps them for a moment: a change is seen
 * by all of them within STALE_MS at the latest, usually within FRESH_MS, and at once by the process that made it.
 */
export const FRESH_MS = 5000;
export const STALE_MS = 15_000;

const ages = { freshMs: FRESH_MS, staleMs: STALE_MS, now: systemClock };

const platform = createFresh<PlatformDirectory>(async () => {
  const [saved, models] = await Promise.all([readConnections(), readModels(PLATFORM)]);
  return { ...saved, models };
}, ages);

const REMEMBERED_TENANTS = 1000;
const tenants = new Map<string, Fresh<ReadonlyMap<string, ModelRow>>>();

export const readPlatform = () => platform.get();

export function readTenant(tenant: string): Promise<ReadonlyMap<string, ModelRow>> {
  const known = tenants.get(tenant);
  if (known) return known.get();
  if (tenants.size >= REMEMBERED_TENANTS) tenants.clear();
  const fresh = createFresh(() => readModels(tenant), ages);
  tenants.set(tenant, fresh);
  return fresh.get();
}

export const forgetPlatform = () => platform.forget();
export const forgetTenant = (tenant: string) => (tenant === PLATFORM ? platform.forget() : void tenants.delete(tenant));
