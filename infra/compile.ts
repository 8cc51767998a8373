import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import type { FunctionSpec } from './functions.ts';

export interface Compiled {
  /** Bytes loaded at start: the entry and everything it imports statically. */
  readonly start: number;
  /** Bytes loaded on demand. */
  readonly lazy: number;
  /** The files it was made from, relative to the repository. */
  readonly inputs: readonly string[];
}

interface Place {
  readonly root: string;
  readonly outdir: string;
}

/** One function's folder: `index.mjs` with its `handler`, chunks for lazy imports, and the assets beside them. */
export async function compile(spec: FunctionSpec, place: Place): Promise<Compiled> {
  const assets = Object.entries(spec.assets);
  for (const file of [spec.entry, ...Object.values(spec.assets)]) {
    if (!existsSync(path.join(place.root, file))) throw new Error(`${spec.name} needs ${file}, which does not exist`);
  }
  const [{ outputFiles, metafile }, pages] = await Promise.all([
    bundle(spec, place),
    bundleForBrowsers(spec.browser ?? {}, place),
  ]).catch((error: Error) => {
    throw new Error(`${spec.name} cannot be bundled: ${error.message}`);
  });
  await writeFolder(place.outdir, [
    ...outputFiles.map(codeFile),
    ...pages.outputFiles.map((file) => ({ name: path.basename(file.path), contents: file.contents })),
    ...(await Promise.all(
      assets.map(async ([name, source]) => ({ name, contents: await readFile(path.join(place.root, source)) })),
    )),
  ]);
  const inputs = [...Object.keys(metafile.inputs), ...Object.keys(pages.metafile.inputs)];
  const sources = inputs.filter((file) => existsSync(path.join(place.root, file)));
  return { ...sizesOf(metafile), inputs: [...sources, ...Object.values(spec.assets)] };
}

const bundle = ({ entry, exported }: FunctionSpec, { root, outdir }: Place) =>
  build({
    stdin: { contents: `export { ${exported} as handler } from './${entry}';`, resolveDir: root, sourcefile: 'entry' },
    absWorkingDir: root,
    outdir,
    entryNames: 'index',
    chunkNames: 'chunk-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Platform node prefers CommonJS builds: 200 KB more of the AWS packages, and half again as slow to start.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [onlyTheVersion(root)],
  });

/** One file each: a page of thirty modules would start thirty functions at once. */
const bundleForBrowsers = (entryPoints: Readonly<Record<string, string>>, { root, outdir }: Place) =>
  build({
    entryPoints: { ...entryPoints },
    absWorkingDir: root,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });

/** The functions need their version from package.json; the rest of it would change every bundle with every dev tool. */
const onlyTheVersion = (root: string): Plugin => ({
  name: 'only-the-version',
  setup(hooks) {
    hooks.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path: file }) => {
      if (file !== path.join(root, 'package.json')) return undefined;
      const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
});

/** esbuild's stand-in for `require` throws this at run time unless the module has a real one. */
const NEEDS_REQUIRE = 'Dynamic require of';
const REQUIRE = `import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);\n`;

const codeFile = (file: OutputFile) => ({
  name: path.basename(file.path),
  contents: file.text.includes(NEEDS_REQUIRE) ? Buffer.from(REQUIRE + file.text) : file.contents,
});

function sizesOf({ outputs }: Metafile) {
  // Lazily imported modules have an entry point too, so the name decides.
  const entry = Object.keys(outputs).find((file) => path.basename(file) === 'index.mjs');
  if (entry === undefined) throw new Error('The bundle has no entry');
  const total = Object.values(outputs).reduce((sum, output) => sum + output.bytes, 0);
  const start = [...staticallyLoaded(outputs, entry)].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
  return { start, lazy: total - start };
}

function staticallyLoaded(outputs: Metafile['outputs'], file: string, seen = new Set<string>()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const imports = outputs[file]?.imports ?? [];
  for (const { path: chunk, kind } of imports) {
    if (kind === 'import-statement' && chunk in outputs) staticallyLoaded(outputs, chunk, seen);
  }
  return seen;
}

interface NewFile {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** Replaces the folder's files one by one and whole, so that a synth beside us never sees half a file. */
async function writeFolder(folder: string, files: readonly NewFile[]) {
  await mkdir(folder, { recursive: true });
  const wanted = new Set(files.map(({ name }) => name));
  const stale = (await readdir(folder)).filter((name) => !wanted.has(name));
  await Promise.all(files.map(({ name, contents }) => writeWhole(path.join(folder, name), contents)));
  await Promise.all(stale.map((name) => rm(path.join(folder, name), { force: true })));
}

/** The temporary name stands outside the folder: the folder is what gets deployed. */
export async function writeWhole(file: string, contents: Uint8Array | string) {
  const parts = [path.basename(path.dirname(file)), path.basename(file), process.pid, performance.now()];
  const draft = path.join(path.dirname(file), '..', `.draft-${parts.join('-')}`);
  await writeFile(draft, contents);
  await rename(draft, file);
}
