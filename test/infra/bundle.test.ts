import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { BUDGETS, type Bundle, bundleAll, describeSizes, isOverBudget } from '../../infra/bundle.ts';
import { functionsOf, type FunctionSpec } from '../../infra/functions.ts';
import { FAMILIES } from '../../infra/family-list.ts';
import { JOBS } from '../../infra/job-list.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'atrium-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = path.join(folder, 'out');

const write = (name: string, source: string) => {
  writeFileSync(path.join(folder, name), source);
  return path.relative('.', path.join(folder, name));
};

const spec = (name: string, source: string, more: Partial<FunctionSpec> = {}): FunctionSpec => ({
  name,
  kind: 'job',
  entry: write(`${name}.ts`, source),
  exported: 'handler',
  needs: {},
  memory: 128,
  timeout: 3,
  assets: {},
  ...more,
});

const codeOf = (name: string) => readFileSync(path.join(out, name, 'index.mjs'), 'utf8');
const run = async (name: string): Promise<unknown> => {
  const { handler } = (await import(pathToFileURL(path.join(out, name, 'index.mjs')).href)) as {
    handler: () => unknown;
  };
  return handler();
};

describe('the platform', () => {
  const all = bundleAll(functionsOf({ families: FAMILIES, jobs: JOBS }), path.join(folder, 'platform'));

  test('starts every function within its budget', async () => {
    expect((await all).filter(isOverBudget)).toEqual([]);
  }, 120_000);

  test('deploys code and assets only: no source maps, nothing of the build', async () => {
    const files = (await all).flatMap(({ name }) => readdirSync(path.join(folder, 'platform', name)));
    expect(files.filter((file) => /\.map$|manifest|draft/.test(file))).toEqual([]);
    expect(readdirSync(path.join(folder, 'platform', 'ops'))).toEqual(
      expect.arrayContaining(Object.keys(FAMILIES.ops.assets)),
    );
  });
});

describe('a bundle', () => {
  test('runs, and loads on demand what is imported on demand', async () => {
    write('heavy.ts', `export const words = ${JSON.stringify('word '.repeat(5000))};`);
    const [bundle] = await bundleAll(
      [spec('lazy', `export const handler = async () => (await import('./heavy.ts')).words.length;`)],
      out,
    );
    expect(bundle?.start).toBeLessThan(1000);
    expect(bundle?.lazy).toBeGreaterThan(20_000);
    expect(await run('lazy')).toBe(25_000);
  });

  test('counts what a start has to load even when it was split off', async () => {
    write('shared.ts', `export const shared = ${JSON.stringify('x'.repeat(9000))};`);
    write('late.ts', `import { shared } from './shared.ts'; export const late = () => shared.length;`);
    const source = `import { shared } from './shared.ts';
      export const handler = async () => shared.length + (await import('./late.ts')).late();`;
    const [bundle] = await bundleAll([spec('split', source)], out);
    expect(bundle?.start).toBeGreaterThan(9000);
    expect(await run('split')).toBe(18_000);
  });

  test('gets a require only when a dependency cannot do without', async () => {
    write('old.cjs', `module.exports = () => require('node:path').sep;`);
    await bundleAll(
      [
        spec('modern', `export const handler = () => 1;`),
        spec('classic', `import sep from './old.cjs'; export const handler = () => sep();`),
      ],
      out,
    );
    expect(codeOf('modern')).not.toContain('createRequire');
    expect(codeOf('classic')).toContain('createRequire');
    expect(await run('classic')).toBe('/');
  });

  test('exports the streaming handler under the one name that functions are called by', async () => {
    await bundleAll([spec('flow', `export const streamHandler = () => 'flows';`, { exported: 'streamHandler' })], out);
    expect(await run('flow')).toBe('flows');
  });

  test('knows the version of the platform, and nothing else of its manifest', async () => {
    const source = `import manifest from '${path.resolve('package.json')}' with { type: 'json' };
      export const handler = () => Object.keys(manifest);`;
    await bundleAll([spec('versioned', source)], out);
    expect(await run('versioned')).toEqual(['version']);
  });

  test('carries its assets, and drops them when they are no longer wanted', async () => {
    const assets = { 'page.css': write('source.css', 'body{}') };
    await bundleAll([spec('dressed', `export const handler = () => 1;`, { assets })], out);
    expect(readdirSync(path.join(out, 'dressed'))).toEqual(['index.mjs', 'page.css']);
    await bundleAll([spec('dressed', `export const handler = () => 1;`)], out);
    expect(readdirSync(path.join(out, 'dressed'))).toEqual(['index.mjs']);
  });
});

describe('work is saved', () => {
  const sources = () => [
    spec('kept', `export const handler = () => 'kept';`),
    spec('changed', `export const handler = () => 'old';`),
  ];

  test('where nothing changed, and only there', async () => {
    const specs = sources();
    await bundleAll(specs, out);
    const written = (name: string) => statSync(path.join(out, name, 'index.mjs')).ctimeMs;
    const before = { kept: written('kept'), changed: written('changed') };
    write('changed.ts', `export const handler = () => 'new';`);
    await bundleAll(specs, out);
    expect(written('kept')).toBe(before.kept);
    expect(written('changed')).not.toBe(before.changed);
    expect(codeOf('changed')).toContain('new');
  });

  test('but not when the result is gone', async () => {
    const specs = [spec('gone', `export const handler = () => 1;`)];
    await bundleAll(specs, out);
    rmSync(path.join(out, 'gone'), { recursive: true });
    await bundleAll(specs, out);
    expect(existsSync(path.join(out, 'gone', 'index.mjs'))).toBe(true);
  });
});

describe('what cannot be bundled is named', () => {
  test.each([
    [
      'a handler that is not there',
      { entry: 'functions/nowhere/handler.ts' },
      /broken needs functions\/nowhere\/handler\.ts, which does not exist/,
    ],
    [
      'an asset that is not there',
      { assets: { 'a.css': 'nowhere.css' } },
      /broken needs nowhere\.css, which does not exist/,
    ],
    [
      'a handler that does not stream',
      { exported: 'streamHandler' },
      /No matching export in ".*broken\.ts" for import "streamHandler"/,
    ],
  ] as const)('%s', async (_, more, message) => {
    await expect(bundleAll([spec('broken', `export const handler = () => 1;`, more)], out)).rejects.toThrow(message);
  });
});

test('sizes are a table with the largest first, and say what is over its budget', () => {
  const bundle = (name: string, start: number): Bundle => ({ name, kind: 'stream', start, lazy: 2048, inputs: [] });
  const lines = describeSizes([bundle('small', 1024), bundle('large', BUDGETS.stream * 1024 + 1)]).split('\n');
  expect(lines.map((line) => line.split(/\s+/).slice(0, 5))).toEqual([
    ['function', 'kind', 'start', 'KB', 'lazy'],
    ['large', 'stream', '250.0', '2.0', '250'],
    ['small', 'stream', '1.0', '2.0', '250'],
  ]);
  expect(lines[1]).toContain('OVER BUDGET');
});
