import { isDeepStrictEqual } from 'node:util';
import { byPosition, type Connection } from '../../shared/connections/connection.ts';
import { newConnection } from '../../shared/connections/draft.ts';
import { invalidField } from '../../shared/errors.ts';
import type { Millis } from '../../shared/time.ts';
import { KEY_MASK, type Config, type ConfigForm } from './contract/config.ts';

/** A runtime as it shall be. A key is set, removed (null) or left alone. */
export interface Draft {
  readonly before: Connection | undefined;
  readonly next: Connection;
  readonly key: string | null | undefined;
}

export interface Plan {
  readonly drafts: readonly Draft[];
  readonly missing: readonly Connection[];
}

export interface PlanParts {
  readonly hasKey: (connection: Connection) => boolean;
  readonly newId: () => string;
  readonly now: Millis;
}

/** What becomes of the present runtimes when this list takes their place. */
export function planUpdate(current: readonly Connection[], form: ConfigForm, parts: PlanParts): Plan {
  const { UPSTREAM_BASE_URLS: urls, UPSTREAM_API_CONFIGS: configs } = form;
  const { kept, missing } = match(current, urls);
  const drafts = urls.map((url, place) => {
    const before = kept[place];
    const config = configs[place] ?? {};
    const key = keyWish(config.key, { place, hasKey: before !== undefined && parts.hasKey(before) });
    const fields = fieldsOf(config);
    const next = before
      ? { ...before, ...fields }
      : newConnection({ kind: 'runtime', url, key, ...fields }, parts.newId(), parts.now);
    return { before, next, key };
  });
  return { drafts: inOrder(drafts), missing };
}

export const isChanged = ({ before, next, key }: Draft) => key !== undefined || !isDeepStrictEqual(before, next);

/** The same address at the same place is the same runtime; after that, the same address anywhere. */
function match(current: readonly Connection[], urls: readonly string[]) {
  const left = new Set(current);
  const take = (found: Connection | undefined) => {
    if (found) left.delete(found);
    return found;
  };
  const inPlace = urls.map((url, place) => (current[place]?.url === url ? take(current[place]) : undefined));
  const kept = urls.map((url, place) => inPlace[place] ?? take([...left].find((one) => one.url === url)));
  return { kept, missing: [...left] };
}

function fieldsOf(config: Config) {
  const { enable, key: _key, connection_type: _type, ...said } = config;
  return { ...said, ...(enable !== undefined && { enabled: enable }) };
}

function keyWish(key: Config['key'], { place, hasKey }: { place: number; hasKey: boolean }) {
  if (key === KEY_MASK && !hasKey)
    throw invalidField(
      ['body', 'UPSTREAM_API_CONFIGS', String(place), 'key'],
      'No key is saved for this address: send the key itself',
    );
  if (key === undefined || key === KEY_MASK) return undefined;
  if (key === null || key === '') return hasKey ? null : undefined;
  return key;
}

/** Positions change only where the order would not come out. */
function inOrder(drafts: readonly Draft[]): Draft[] {
  const placed: Draft[] = [];
  for (const draft of drafts) {
    const previous = placed.at(-1)?.next;
    const isBehind = !previous || byPosition(previous, draft.next) < 0;
    const position = isBehind ? draft.next.position : Math.floor(previous.position) + 1;
    placed.push({ ...draft, next: { ...draft.next, position } });
  }
  return placed;
}
