import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Style that matters is checked by a machine. Paths are relative to the repository. */
const files = ['bin', 'infra', 'functions', 'shared']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts'));

const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

const importsOf = (file: string) =>
  [...(sources.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? path.join(path.dirname(file), target) : target,
  );

const family = (file: string) => /^functions\/([^/]+)\//.exec(file)?.[1];

const FORBIDDEN: readonly [why: string, from: RegExp, to: RegExp][] = [
  ['shared knows no family', /^shared\//, /^(functions|infra|bin)\//],
  ['functions know no stack', /^functions\//, /^(infra\/|aws-cdk-lib|constructs)/],
  ['contracts are pure data', /^functions\/\w+\/routes\.ts$/, /^(@aws-sdk|node:|shared\/(store|aws|settings))/],
  [
    'rules do no I/O',
    /^functions\/\w+\/(service|api)\.ts$/,
    /^(@aws-sdk|node:(fs|http|https|net|child_process)|shared\/(store\/table|aws))/,
  ],
  ['stacks see contracts only', /^infra\/(?!local\/)/, /^functions\/(?!contracts\.ts)/],
  ['the SDK is for types and tests', /^(functions|shared)\//, /^@aws-sdk\/client-/],
];

describe('imports', () => {
  test.each(FORBIDDEN)('%s', (_why, from, to) => {
    const broken = files
      .filter((file) => from.test(file))
      .flatMap((file) =>
        runtimeImports(file)
          .filter((target) => to.test(target))
          .map((target) => `${file} → ${target}`),
      );
    expect(broken).toEqual([]);
  });

  test('families do not meet', () => {
    const broken = files.filter(family).flatMap((file) =>
      importsOf(file)
        .filter((target) => family(target) && family(target) !== family(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('nothing imports the tests', () => {
    expect(files.flatMap((file) => importsOf(file).filter((target) => target.startsWith('test/')))).toEqual([]);
  });
});

/** Type-only imports vanish before anything runs. */
function runtimeImports(file: string) {
  const text = (sources.get(file) ?? '').replaceAll(/import type[^;]+;/g, '');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) =>
    target.startsWith('.') ? path.join(path.dirname(file), target) : target,
  );
}

describe('habits', () => {
  const offenders = (pattern: RegExp, where: RegExp, except: RegExp = /^$/) =>
    [...sources]
      .filter(([file, text]) => where.test(file) && !except.test(file) && pattern.test(text))
      .map(([file]) => file);

  test('zod is imported as a namespace, or all its locales come along', () => {
    expect(offenders(/import (type )?\{[^}]*\bz\b[^}]*\} from 'zod'/, /./)).toEqual([]);
  });

  test('only the settings and the hosts read the process environment', () => {
    expect(offenders(/process\.env/, /^(functions|shared)\//, /^shared\/settings\//)).toEqual([]);
  });

  test('there are no barrels and no drawers', () => {
    const named = files.filter((file) => /\/(index|utils?|helpers?|common|misc|types)\.ts$/.test(file));
    expect(named).toEqual([]);
    expect(offenders(/^export \* from/m, /./)).toEqual([]);
  });

  test('every function of the description has its module, and every family folder is described', async () => {
    const { FAMILIES } = await import('../infra/family-list.ts');
    const { JOBS } = await import('../infra/job-list.ts');
    const handlers = Object.keys(FAMILIES).map((name) => `functions/${name}/handler.ts`);
    const jobs = Object.values<{ entry: string }>(JOBS).map(({ entry }) => entry);
    expect([...handlers, ...jobs].filter((file) => !sources.has(file))).toEqual([]);
    const described = new Set([...handlers, ...jobs].map(family));
    expect(files.map(family).filter((name) => name && !described.has(name))).toEqual([]);
  });
});
