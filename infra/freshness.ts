import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Compiled, writeWhole } from './compile.ts';
import type { FunctionSpec } from './functions.ts';

interface Memory extends Compiled {
  readonly recipe: string;
  /** A digest over what the file system says about every input. */
  readonly stamp: string;
}

/** Remembers in `<folder>/manifest.json` what each bundle was made from, so that unchanged ones are not made again. */
export async function createFreshness(root: string, folder: string) {
  const manifest = path.join(folder, 'manifest.json');
  const memories = await readMemories(manifest);
  const common = await Promise.all(
    ['package-lock.json', 'infra/compile.ts'].map((file) => readFile(path.join(root, file), 'utf8')),
  );
  const recipeOf = ({ entry, exported, assets, browser }: FunctionSpec) =>
    digest(JSON.stringify([...common, entry, exported, assets, browser]));
  const stampOf = createStamps(root);

  return {
    async unchanged(spec: FunctionSpec): Promise<Compiled | undefined> {
      const memory = memories[spec.name];
      if (memory?.recipe !== recipeOf(spec) || !existsSync(path.join(folder, spec.name, 'index.mjs'))) return undefined;
      return memory.stamp === (await stampOf(memory.inputs)) ? memory : undefined;
    },
    async remember(specs: readonly FunctionSpec[], bundles: readonly Compiled[]) {
      const entries = specs.map(async (spec, i) => {
        const { start, lazy, inputs } = bundles[i] ?? { start: 0, lazy: 0, inputs: [] };
        return [spec.name, { start, lazy, inputs, recipe: recipeOf(spec), stamp: await stampOf(inputs) }];
      });
      await mkdir(folder, { recursive: true });
      await writeWhole(manifest, JSON.stringify(Object.fromEntries(await Promise.all(entries))));
    },
  };
}

async function readMemories(manifest: string): Promise<Readonly<Record<string, Memory>>> {
  if (!existsSync(manifest)) return {};
  return JSON.parse(await readFile(manifest, 'utf8')) as Record<string, Memory>;
}

/** The change time, unlike the modification time, also moves when npm unpacks another version of a file. */
function createStamps(root: string) {
  const known = new Map<string, Promise<string>>();
  const look = (file: string) => {
    const stamp = known.get(file) ?? stampOf(path.join(root, file));
    known.set(file, stamp);
    return stamp;
  };
  return async (files: readonly string[]) => digest((await Promise.all(files.map(look))).join('\n'));
}

async function stampOf(file: string) {
  const found = await stat(file).catch(() => undefined);
  return `${file} ${found?.ctimeMs} ${found?.size}`;
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
