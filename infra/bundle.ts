import path from 'node:path';
import { type Compiled, compile } from './compile.ts';
import { createFreshness } from './freshness.ts';
import { functionsOf, type FunctionKind, type FunctionSpec } from './functions.ts';
import { FAMILIES } from './family-list.ts';
import { JOBS } from './job-list.ts';

const ROOT = path.join(import.meta.dirname, '..');
export const BUILD = path.join(ROOT, '.build');

/** What a cold start may have to load before the first request, in KB of minified code. */
export const BUDGETS: Readonly<Record<FunctionKind, number>> = { stream: 250, http: 550, job: 550 };

export interface Bundle extends Compiled {
  readonly name: string;
  readonly kind: FunctionKind;
}

/** Bundles every function side by side into `<folder>/<name>` and leaves alone what has not changed since last time. */
export async function bundleAll(specs: readonly FunctionSpec[], folder = BUILD): Promise<readonly Bundle[]> {
  const freshness = await createFreshness(ROOT, folder);
  const bundles = await Promise.all(
    specs.map(async (spec) => {
      const outdir = path.join(folder, spec.name);
      const compiled = (await freshness.unchanged(spec)) ?? (await compile(spec, { root: ROOT, outdir }));
      return { ...compiled, name: spec.name, kind: spec.kind };
    }),
  );
  await freshness.remember(specs, bundles);
  return bundles;
}

export const isOverBudget = ({ kind, start }: Bundle) => start > BUDGETS[kind] * 1024;

/** Returns the table that people read, largest start first. */
export function describeSizes(bundles: readonly Bundle[]): string {
  const rows = bundles
    .toSorted((a, b) => b.start - a.start)
    .map((b) => [b.name, b.kind, kb(b.start), kb(b.lazy), `${BUDGETS[b.kind]}`, isOverBudget(b) ? 'OVER BUDGET' : '']);
  return [['function', 'kind', 'start KB', 'lazy KB', 'budget', ''], ...rows]
    .map(([name = '', ...cells]) => [name.padEnd(24), ...cells.map((cell) => cell.padStart(9))].join(' ').trimEnd())
    .join('\n');
}

const kb = (bytes: number) => (bytes / 1024).toFixed(1);

if (import.meta.main) {
  const bundles = await bundleAll(functionsOf({ families: FAMILIES, jobs: JOBS }));
  console.log(describeSizes(bundles));
  if (bundles.some(isOverBudget)) process.exitCode = 1;
}
