import { afterEach, describe, expect, test } from 'vitest';
import { createSandboxPool } from '../../shared/plugins/sandbox/pool.ts';
import { openSandbox, type Outside, type Sandbox } from '../../shared/plugins/sandbox/sandbox.ts';

const open: Sandbox[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))));

const LIMITS = { memoryMb: 64, timeoutMs: 400 };
const NOTHING: Outside = { answer: (name) => Promise.reject(new Error(`Nothing answers ${name}`)) };

async function sandboxOf(source: string, limits = LIMITS) {
  const sandbox = await openSandbox(source, limits);
  open.push(sandbox);
  return sandbox;
}

const pluginWith = (body: string) =>
  sandboxOf(`export const plugin = definePlugin({ name: 'Test', run(input, context) { ${body} } });`);
const runIn = async (body: string, input: unknown = null, outside = NOTHING) =>
  (await pluginWith(body)).call('run', [input, {}], outside);

describe('a well-behaved plugin', () => {
  test('shows its definition and the names of its functions', async () => {
    const { plugin } = await sandboxOf(
      `export const plugin = definePlugin({ name: 'A', valves: { max: 3 }, inlet() {}, tools: { add: { description: 'adds', run() {} } } });`,
    );
    expect(plugin).toEqual({
      definition: { name: 'A', valves: { max: 3 }, tools: { add: { description: 'adds' } } },
      methods: ['inlet', 'tools.add.run'],
    });
  });

  test('gets its input and answers with JSON, now or later', async () => {
    expect(await runIn('return { sum: input.a + input.b };', { a: 1, b: 2 })).toEqual({ sum: 3 });
    expect(
      await runIn(
        'await new Promise((done) => setTimeout(done, 20)); return "later";'.replace(
          'await',
          'return (async () => { await',
        ) + ' })();',
      ),
    ).toBe('later');
  });

  test('streams the parts of a generator', async () => {
    const sandbox = await sandboxOf(
      `export const plugin = definePlugin({ async *pipe(body) { for (const word of body.words) yield word; } });`,
    );
    const parts: unknown[] = [];
    await sandbox.call('pipe', [{ words: ['a', 'b'] }, {}], { ...NOTHING, part: (value) => parts.push(value) });
    expect(parts).toEqual(['a', 'b']);
  });

  test('asks the outside and waits as long as that takes', async () => {
    const outside: Outside = {
      answer: async (name, data) => (await new Promise((done) => setTimeout(done, 600)), { name, data }),
    };
    expect(await runIn('return context.ask({ type: "input" });', null, outside)).toEqual({
      name: 'question',
      data: { type: 'input' },
    });
  });

  test('sees a refusal of the outside as an exception it can catch', async () => {
    expect(await runIn('return context.emit({}).catch((error) => error.message);')).toBe('Nothing answers emit');
  });

  test('writes its own log', async () => {
    const lines: string[] = [];
    await runIn('console.log("hello", { a: 1 }); return null;', null, {
      ...NOTHING,
      log: (level, text) => lines.push(`${level} ${text}`),
    });
    expect(lines).toEqual(['info hello {"a":1}']);
  });

  test('is used for one call after the other', async () => {
    const sandbox = await pluginWith('return input;');
    for (const n of [1, 2, 3]) expect(await sandbox.call('run', [n, {}], NOTHING)).toBe(n);
  });
});

describe('a plugin that cannot be loaded', () => {
  test.each([
    ['broken syntax', 'export const plugin = {', /Unexpected end of input/],
    ['no plugin', 'export const other = 1;', /must export a plugin/],
    ['an import', `import fs from 'node:fs'; export const plugin = {};`, /cannot import anything, not even node:fs/],
    ['an endless loop', 'for (;;) {}', /did not load within/],
    ['a throw', 'throw new Error("no")', /no/],
  ])(
    '%s',
    async (_name, source, message) => {
      await expect(openSandbox(source, LIMITS)).rejects.toThrow(message);
    },
    10_000,
  );
});

describe('a hostile plugin gets an error on its own call and nothing else', () => {
  test.each([
    ['an endless loop', 'for (;;) {}', /took longer than 400 ms/],
    [
      'an endless chain of promises',
      'const spin = () => Promise.resolve().then(spin); return spin();',
      /took longer than 400 ms/,
    ],
    ['never answering', 'return new Promise(() => {});', /took longer than 400 ms/],
    ['a heap full of objects', 'const all = []; for (;;) all.push(new Array(1000).fill({}));', /memory|took longer/],
    [
      'a gigabyte of buffers',
      'const all = []; for (let n = 0; n < 16; n += 1) all.push(new Uint8Array(64 * 1024 * 1024).fill(1)); return all.length;',
      /more than 64 MB|took longer|allocation/,
    ],
    ['an exception', 'throw new Error("I failed");', /^I failed$/],
    ['an answer that is not JSON', 'const a = {}; a.a = a; return a;', /not JSON/],
    ['deep recursion', 'const f = () => f() + 1; return f();', /call stack/],
  ])(
    '%s',
    async (_name, body, message) => {
      const bystander = await pluginWith('return "fine";');
      await expect(runIn(body)).rejects.toThrow(message);
      expect(await bystander.call('run', [null, {}], NOTHING)).toBe('fine');
    },
    15_000,
  );

  test.each([
    ['process', 'return typeof process;'],
    ['require', 'return typeof require;'],
    ['fetch', 'return typeof globalThis.fetch;'],
    ['Buffer', 'return typeof Buffer;'],
    ['Worker', 'return typeof Worker;'],
    ['SharedArrayBuffer growth', 'return typeof performance;'],
  ])('there is no %s', async (_name, body) => {
    expect(await runIn(body)).toBe('undefined');
  });

  test.each([
    ['the constructor of a function', 'return (() => {}).constructor("return process")();'],
    ['the constructor of the context', 'return context.emit.constructor("return process")();'],
    ['eval', 'return (0, eval)("1 + 1");'],
    ['a dynamic import', 'return import("node:fs").then(() => "escaped");'],
    [
      'the constructor of a caught error',
      'return context.emit({}).catch((error) => error.constructor.constructor("return process")());',
    ],
    ['the constructor of the global object', 'return globalThis.constructor.constructor("return process")();'],
    [
      'the prototype of the global object',
      'return Object.getPrototypeOf(globalThis)?.constructor.constructor("return process")() ?? Promise.reject(new Error("nothing"));',
    ],
    [
      'a stack overflow inside the host',
      'const dig = () => { try { dig(); } catch (error) { if (error.constructor !== RangeError) { return error.constructor.constructor("return process")().pid; } throw error; } }; return dig();',
    ],
    [
      'prepareStackTrace',
      'Error.prepareStackTrace = (_, frames) => frames.map((f) => f.getThis?.() ?? f.getFunction?.()).filter(Boolean); const found = new Error().stack; return found[0].constructor.constructor("return process")();',
    ],
  ])('%s does not lead outside', async (_name, body) => {
    await expect(runIn(body)).rejects.toThrow();
  });

  test('an unhandled rejection ends neither the host nor a later call', async () => {
    const sandbox = await pluginWith('Promise.reject(new Error("nobody catches me")); return "done";');
    expect(await sandbox.call('run', [null, {}], NOTHING)).toBe('done');
  });
});

test('a pool keeps well-behaved sandboxes warm, drops broken ones and starts a new revision afresh', async () => {
  const pool = createSandboxPool(LIMITS);
  const program = (revision: number, source: string) => ({ id: 'counter', revision, source });
  const counting = program(
    1,
    'let n = 0; export const plugin = { run() { n += 1; return n; }, spin() { for (;;) {} } };',
  );
  const once = (method = 'run', one = counting) => pool.run(one, { method, args: [{}] }, NOTHING);
  expect([await once(), await once()]).toEqual([1, 2]);
  await expect(once('spin')).rejects.toThrow('took longer');
  expect(await once()).toBe(1);
  expect(await Promise.all([once(), once()])).toEqual([2, 1]);
  expect(await once('run', program(2, 'export const plugin = { run: () => "new" };'))).toBe('new');
  await pool.close();
});
