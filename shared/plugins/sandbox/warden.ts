interface Guest {
  register(namespace: object): void;
  deliver(text: string): void;
  refuse(error: unknown): void;
}

/**
 * Runs in the worker thread, outside the plugin's context: builds that context, loads the plugin into it and passes
 * text both ways. Self-contained, because its source text is what the worker is started with.
 */
export async function warden(): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const vm = process.getBuiltinModule('node:vm');
  if (!parentPort) throw new Error('The warden runs in a worker thread only');
  const port = parentPort;
  // A promise that nobody catches would end the thread, and race with the answer. What it holds is the plugin's: not touched.
  process.on('unhandledRejection', () => {});
  const { source, guest } = workerData as { source: string; guest: string };
  // Strings are never code inside: no eval, no Function, and no import finds anything.
  const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const send = (text: string) => port.postMessage(text);
  const inside = (vm.runInContext(guest, context) as (send: (text: string) => void) => Guest)(send);
  // Should a plugin ever reach this realm, there is nothing left in it to use.
  const kept = new Set(
    'globalThis Object Function Array Promise Error JSON Symbol String Map Set Reflect Proxy'.split(' '),
  );
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!kept.has(name)) Reflect.deleteProperty(globalThis, name);
  port.on('message', (text: string) => inside.deliver(text));
  try {
    const module = new vm.SourceTextModule(source, {
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
