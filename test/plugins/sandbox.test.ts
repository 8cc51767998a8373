import { afterEach, describe, expect, test } from 'vitest';
import { roomFor } from '../../shared/plugins/room.ts';
import { createSandboxPool, type Program, type SandboxPool } from '../../shared/plugins/sandbox/pool.ts';
import { openSandbox, type Outside, type Sandbox } from '../../shared/plugins/sandbox/sandbox.ts';

const open: Sandbox[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))));

const LIMITS = { memoryMb: 64, timeoutMs: 400, cpuMs: 5000 };
const POOL = { ...LIMITS, atWork: 8, warmMb: 128 };
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
    await sandbox.call('pipe', [{ words: ['a', 'b'] }, {}], { ...NOTHING, part: (value) => void parts.push(value) });
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
    ['an answer that is not JSON', 'const a = {}; a.a = a; return a;', /cannot answer: .*circular/],
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

  test.each([
    [
      'events without end, not waited for',
      'for (;;) context.emit({ type: "status" });',
      /too much at once|took longer/,
    ],
    [
      'events without end, one after the other',
      'return (async () => { for (;;) await context.emit({}); })();',
      /took longer/,
    ],
    ['a log without end', 'for (;;) console.log("x".repeat(4000));', /took longer/],
    ['an answer of 8 MB', 'return "x".repeat(8 * 1024 * 1024);', /too long/],
    ['an event of 8 MB', 'return context.emit("x".repeat(8 * 1024 * 1024));', /too long/],
    ['messages that are nothing', 'Object.prototype.toJSON = () => undefined; return 1;', /took longer|not JSON/],
    ['messages that are something else', 'Object.prototype.toJSON = () => null; return 1;', /not understood/],
    [
      'an error that cannot be told',
      'setTimeout(() => {}, 1); Promise.resolve = () => { throw { toString: 1, valueOf: 1 }; }; return new Promise(() => {});',
      /crashed|took longer/,
    ],
  ])(
    '%s',
    async (_name, body, message) => {
      await expect(runIn(body, null, { answer: () => Promise.resolve(null), log() {} })).rejects.toThrow(message);
    },
    15_000,
  );

  test('parts without end are said no faster than somebody takes them', async () => {
    const sandbox = await sandboxOf(`export const plugin = definePlugin({ *pipe() { for (;;) yield 'x'; } });`);
    let said = 0;
    const part = () => {
      said += 1;
      return new Promise<void>(() => {});
    };
    await expect(sandbox.call('pipe', [{}], { ...NOTHING, part })).rejects.toThrow('took longer');
    expect(said).toBeLessThan(1000);
  });

  test('a loop that hides behind an open question is cut by the time it takes on the processor', async () => {
    const sandbox = await sandboxOf(
      'export const plugin = definePlugin({ run(context) { context.ask({ type: "input" }); for (;;) {} } });',
      { ...LIMITS, cpuMs: 200 },
    );
    const outside: Outside = { answer: () => new Promise(() => {}) };
    await expect(sandbox.call('run', [{}], outside)).rejects.toThrow('used the processor for longer than 200 ms');
  });

  test.each([
    ['a timer', 'setTimeout(() => { for (;;) {} }, 1); return "done";'],
    [
      'a promise',
      '(async () => { for (;;) await null; })(); return new Promise((done) => setTimeout(() => done("done"), 0));',
    ],
  ])('work that goes on in %s after the call is stopped', async (_name, body) => {
    const sandbox = await pluginWith(body);
    await sandbox.call('run', [null, {}], NOTHING).catch(() => {});
    await expect.poll(() => sandbox.isAlive(), { timeout: 10_000 }).toBe(false);
  });

  test('whoever leaves takes the plugin along', async () => {
    const sandbox = await pluginWith('for (;;) {}');
    const leaving = new AbortController();
    const running = sandbox.call('run', [null, {}], { ...NOTHING, signal: leaving.signal });
    leaving.abort();
    await expect(running).rejects.toThrow('Nobody waits');
    expect(sandbox.isAlive()).toBe(false);
  });

  test('an unhandled rejection ends neither the host nor a later call', async () => {
    const sandbox = await pluginWith('Promise.reject(new Error("nobody catches me")); return "done";');
    expect(await sandbox.call('run', [null, {}], NOTHING)).toBe('done');
  });
});

describe('a pool', () => {
  const source = (mb: number) =>
    `let n = 0; const held = new Array(${mb}).fill().map(() => new Array(131072).fill(1.5)); export const plugin = { run() { n += 1; return n; }, wait: (context) => context.ask({}), spin() { for (;;) {} } };`;
  const program = (id: string, mb = 0) => ({ id, revision: 1, source: source(mb) });
  const pools: SandboxPool[] = [];
  afterEach(async () => void (await Promise.all(pools.splice(0).map((pool) => pool.close()))));
  const poolOf = (limits: Partial<typeof POOL>) => {
    const pool = createSandboxPool({ ...POOL, ...limits });
    pools.push(pool);
    return (one: Program, method = 'run', outside = NOTHING) => pool.run(one, { method, args: [{}] }, outside);
  };

  test('stops the longest unused sandboxes when the warm ones hold too much', async () => {
    const run = poolOf({ warmMb: 66 });
    const counts = async (...ids: string[]) => {
      const found: unknown[] = [];
      for (const id of ids) found.push(await run(program(id)));
      return found;
    };
    expect(await counts('a', 'b', 'a')).toEqual([1, 1, 2]);
    expect(await run(program('large', 32))).toBe(1);
    await expect.poll(() => run(program('large', 32)), { timeout: 5000 }).toBeGreaterThan(2);
    expect(await counts('b')).toEqual([1]);
  });

  test('keeps nothing warm where there is no memory for it', async () => {
    const run = poolOf({ warmMb: 0 });
    expect([await run(program('a')), await run(program('a'))]).toEqual([1, 1]);
  });

  test('gives one plugin no more than a quarter of the places, and none to those who wait for an answer', async () => {
    const run = poolOf({ atWork: 2 });
    const answers = Promise.withResolvers<string>();
    const asking = Array.from({ length: 5 }, (_, n) =>
      run(program(`asks${n}`), 'wait', { answer: () => answers.promise }),
    );
    const spinning = Array.from({ length: 2 }, () =>
      run(program('spins'), 'spin').catch((error: Error) => error.message),
    );
    const ended: string[] = [];
    void spinning[0]?.then(() => ended.push('spins'));
    await run(program('other')).then(() => ended.push('other'));
    expect(ended).toEqual(['other']);
    answers.resolve('yes');
    expect(await Promise.all(asking)).toEqual(['yes', 'yes', 'yes', 'yes', 'yes']);
    expect(await Promise.all(spinning)).toEqual([
      expect.stringMatching(/took longer/),
      expect.stringMatching(/took longer|at work/),
    ]);
  });
});

test('memory of a small function is shared out between plugins at work and warm ones', () => {
  const settings = {
    PLUGIN_MEMORY_MB: 128,
    PLUGIN_TIMEOUT_MS: 30_000,
    PLUGIN_CPU_MS: 5000,
    PLUGIN_CONCURRENCY: 8,
    PLUGIN_WARM_MEMORY_MB: 128,
  };
  expect(roomFor(settings, 512)).toMatchObject({ atWork: 2, warmMb: 128 });
  expect(roomFor(settings, 2048)).toMatchObject({ atWork: 7, warmMb: 128 });
  expect(roomFor(settings, 16_384)).toMatchObject({ atWork: 8, warmMb: 128 });
});

test('a pool keeps well-behaved sandboxes warm, drops broken ones and starts a new revision afresh', async () => {
  const pool = createSandboxPool(POOL);
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
