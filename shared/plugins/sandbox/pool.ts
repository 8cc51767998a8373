import { openSandbox, type Limits, type Outside, type Sandbox } from './sandbox.ts';

/** A plugin's code under a name that changes whenever the code does. */
export interface Program {
  readonly id: string;
  readonly revision: string | number;
  readonly source: string;
}

export interface SandboxPool {
  run(
    program: Program,
    call: { readonly method: string; readonly args: readonly unknown[] },
    outside: Outside,
  ): Promise<unknown>;
  close(): Promise<void>;
}

const IDLE_PER_PROGRAM = 2;
const IDLE_IN_ALL = 16;

/**
 * Every call has a sandbox to itself, so a plugin that hangs or crashes takes only its own request along. Those that
 * behaved are kept warm for the next call; a new revision starts afresh.
 */
export function createSandboxPool(limits: Limits): SandboxPool {
  const idle = new Map<string, Sandbox[]>();
  const nameOf = ({ id, revision }: Program) => `${id}@${revision}`;
  const take = async (program: Program) => idle.get(nameOf(program))?.pop() ?? openSandbox(program.source, limits);

  const give = async (program: Program, sandbox: Sandbox) => {
    const kept = idle.get(nameOf(program)) ?? [];
    const total = idle.values().reduce((sum, list) => sum + list.length, 0);
    if (!sandbox.isAlive()) return;
    if (kept.length >= IDLE_PER_PROGRAM || total >= IDLE_IN_ALL) return sandbox.close();
    idle.set(nameOf(program), [...kept, sandbox]);
    await retire(program.id, nameOf(program));
  };

  const retire = async (id: string, current: string) => {
    const stale = [...idle].filter(([name]) => name !== current && name.startsWith(`${id}@`));
    for (const [name] of stale) idle.delete(name);
    await Promise.all(stale.flatMap(([, list]) => list.map((sandbox) => sandbox.close())));
  };

  return {
    async run(program, { method, args }, outside) {
      const sandbox = await take(program);
      try {
        return await sandbox.call(method, args, outside);
      } finally {
        await give(program, sandbox);
      }
    },
    async close() {
      const all = [...idle.values()].flat();
      idle.clear();
      await Promise.all(all.map((sandbox) => sandbox.close()));
    },
  };
}
