import { filterVariables, runFilter } from '../../shared/events/filter.ts';
import { compileFilter, type Expression } from '../../shared/filter/compile.ts';
import { median } from './load.ts';
import { table } from './report.ts';

const FILTERS = {
  simple: 'payload["amount"] > 100 and payload["currency"] == "EUR"',
  'any(…) over 20 items, the last one matches': 'any(item["quantity"] > 10 for item in payload["items"])',
};
const ROUNDS = 5;
const ROUND_SECONDS = 0.2;
const PER_LOOK = 200;

const items = Array.from({ length: 20 }, (_, n) => ({ sku: `sku-${n}`, quantity: n === 19 ? 11 : 1 }));
const EVENT = {
  event_id: 'evt_bench',
  event_type: 'bench_order',
  source: 'bench',
  correlation_id: 'bench',
  user_id: 'service',
  published_at: 1_700_000_000_000,
  payloadText: JSON.stringify({ amount: 250, currency: 'EUR', items }),
};

/** Filters as the dispatcher runs them: compiled once, the event converted once for all that look at it. */
export function filterRates(): string {
  const variables = filterVariables(EVENT);
  const rows = Object.entries(FILTERS).map(([name, source]) => {
    const expression = compiled(source);
    return [name, `\`${source}\``, perSecond(() => demandTrue(runFilter(expression, variables)))];
  });
  return `Filters in one process, compiled once, without any table:\n\n${table(['Filter', 'Expression', 'Evaluations per second of processor time'], rows)}`;
}

function compiled(source: string): Expression {
  const result = compileFilter(source);
  if (!result.ok) throw new Error(`The bench has a wrong filter: ${result.error.message}`);
  return result.expression;
}

function demandTrue(outcome: ReturnType<typeof runFilter>) {
  if (outcome.kind === 'error' || !outcome.isTrue) throw new Error('A filter of the bench is not true');
}

const perSecond = (work: () => void) => Math.round(median(Array.from({ length: ROUNDS }, () => roundOf(work))));

/** By the thread's own time: nothing here waits, so whoever else uses the machine does not matter. */
function roundOf(work: () => void): number {
  const startedAt = threadSeconds();
  let count = 0;
  while (threadSeconds() - startedAt < ROUND_SECONDS) {
    for (let n = 0; n < PER_LOOK; n += 1) work();
    count += PER_LOOK;
  }
  return count / (threadSeconds() - startedAt);
}

function threadSeconds() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}
