import * as z from 'zod';
import { AppError } from '../errors.ts';
import type { Outbound } from '../net/outbound.ts';
import { Definition, describePlugin, refused, type Described } from './definition.ts';
import { createFetch } from './plugin-fetch.ts';
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { defaultsOf } from './valves.ts';

type Fields = Readonly<Record<string, unknown>>;

const LOAD_MS = 3000;

export interface Inspection {
  readonly memoryMb: number;
  readonly outbound: Outbound;
  /** What operators have set: a pipe may need a key to know which models it has. */
  readonly valves: Fields;
}

/** Loads a module once, in a sandbox of its own, and says what it is and which models it offers. */
export async function inspectPlugin(source: string, inspection: Inspection): Promise<Described> {
  const sandbox = await openSandbox(source, {
    memoryMb: inspection.memoryMb,
    timeoutMs: LOAD_MS,
    cpuMs: LOAD_MS,
  }).catch(refuse);
  try {
    const described = describePlugin(sandbox.plugin);
    if (described.kind !== 'pipe' || !described.methods.includes('pipes')) return described;
    const pipes = await listPipes(sandbox, described, inspection).catch(refuse);
    return { ...described, definition: { ...described.definition, pipes } };
  } finally {
    await sandbox.close();
  }
}

async function listPipes(sandbox: Sandbox, { definition }: Described, { valves, outbound }: Inspection) {
  const context = { valves: { ...defaultsOf(definition.valves), ...valves } };
  const fetchInTurn = createFetch(outbound);
  const listed = await sandbox.call('pipes', [context], {
    async answer(name, data) {
      if (name === 'fetch') return fetchInTurn(data);
      throw new AppError('plugin_failed', 'Nobody listens while the models of a pipe are listed');
    },
  });
  const result = z.safeParse(Definition.shape.pipes, listed);
  if (!result.success) throw new AppError('plugin_failed', 'pipes must give a list of { id, name }');
  return result.data;
}

const refuse = (error: unknown): never => {
  throw error instanceof AppError ? refused([`The plugin does not load: ${error.message}`]) : error;
};
