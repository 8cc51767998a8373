import type { Program } from './pool.ts';
import type { Sandbox } from './sandbox.ts';

export interface Warmth {
  take(program: Program): Sandbox | undefined;
  keep(program: Program, sandbox: Sandbox): void;
  close(): Promise<void>;
}

interface Kept {
  readonly id: string;
  readonly revision: string | number;
  readonly sandbox: Sandbox;
}

interface Size {
  readonly mb: number;
  readonly at: number;
}

const UNKNOWN: Size = { mb: 16, at: -Infinity };
const MEASURE_AGAIN_MS = 1000;

/** Sandboxes that wait for their next call, as long as they hold no more than this together; the longest unused go first. */
export function createWarmth(mostMb: number): Warmth {
  const kept: Kept[] = []; // the longest unused first
  const sizes = new WeakMap<Sandbox, Size>();
  const sizeOf = (sandbox: Sandbox) => sizes.get(sandbox) ?? UNKNOWN;
  const drop = (isMeant: (one: Kept) => boolean) => {
    const dropped = kept.filter(isMeant);
    for (const one of dropped) {
      kept.splice(kept.indexOf(one), 1);
      void one.sandbox.close();
    }
  };
  const fit = () => {
    let mb = 0;
    // Counted from the latest used; whatever no longer fits, goes.
    const tooMuch = new Set(kept.toReversed().filter(({ sandbox }) => (mb += sizeOf(sandbox).mb) > mostMb));
    drop((one) => tooMuch.has(one));
  };
  const measure = async (sandbox: Sandbox) => {
    if (performance.now() - sizeOf(sandbox).at < MEASURE_AGAIN_MS) return;
    sizes.set(sandbox, { mb: sizeOf(sandbox).mb, at: performance.now() });
    const mb = await sandbox.size().catch(() => 0);
    sizes.set(sandbox, { mb, at: performance.now() });
    fit();
  };
  return {
    take({ id, revision }) {
      const at = kept.findLastIndex((one) => one.id === id && one.revision === revision && one.sandbox.isAlive());
      return at === -1 ? undefined : kept.splice(at, 1)[0]?.sandbox;
    },
    keep({ id, revision }, sandbox) {
      if (!sandbox.isAlive()) return;
      drop((one) => !one.sandbox.isAlive() || (one.id === id && one.revision !== revision));
      kept.push({ id, revision, sandbox });
      void measure(sandbox);
      fit();
    },
    async close() {
      await Promise.all(kept.splice(0).map(({ sandbox }) => sandbox.close()));
    },
  };
}
