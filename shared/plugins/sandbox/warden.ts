import type { Border, border, Flowing } from './border.ts';

interface Guest {
  register(namespace: object): void;
  deliver(text: string): void;
  ring(id: number): void;
  refuse(error: unknown): void;
}

interface Given extends Flowing {
  readonly source: string;
  readonly guest: string;
}

/**
 * Runs in the worker thread, outside the plugin's context: builds that context, loads the plugin into it and passes
 * text both ways. Self-contained, because its source text is what the worker is started with.
 */
export async function warden(openBorder: typeof border): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const vm = process.getBuiltinModule('node:vm');
  const { setTimeout: later } = process.getBuiltinModule('node:timers');
  if (!parentPort) throw new Error('The warden runs in a worker thread only');
  const port = parentPort;
  // Whoever asks for anything else goes first. Only on Linux this concerns the thread alone.
  try {
    if (process.platform === 'linux') process.getBuiltinModule('node:os').setPriority(10);
  } catch {
    // Where that is not allowed, limits have to do.
  }
  // A promise that nobody catches would end the thread, and race with the answer. What it holds is the plugin's: not touched.
  process.on('unhandledRejection', () => {});
  const given = workerData as Given;
  const { send, read } = openBorder(port, given);
  // Strings are never code inside: no eval, no Function, and no import finds anything.
  const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const sleep = (id: number, ms: number) => void later(() => inside.ring(id), ms);
  const enter = vm.runInContext(given.guest, context) as (send: Border['send'], wake: typeof sleep) => Guest;
  const inside = enter(send, sleep);
  // Should a plugin ever reach this realm, there is nothing left in it to use.
  const kept = new Set(
    'globalThis Object Function Array Promise Error JSON Symbol String Map Set Reflect Proxy'.split(' '),
  );
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!kept.has(name)) Reflect.deleteProperty(globalThis, name);
  port.on('message', (text: string) => inside.deliver(read(text)));
  try {
    const module = new vm.SourceTextModule(given.source, {
      context,
      identifier: 'plugin.js',
      importModuleDynamically: () => {
        throw new Error('A plugin cannot import anything');
      },
    });
    await module.link((specifier: string) => {
      throw new Error(`A plugin cannot import anything, not even ${specifier}`);
    });
    await module.evaluate();
    inside.register(module.namespace);
  } catch (error) {
    inside.refuse(error);
  }
}
