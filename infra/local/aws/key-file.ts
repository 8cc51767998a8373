import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

/** The host's master key: random, made once, readable by its owner only. Without it nothing sealed can be opened. */
export function masterKey(dataDir: string | undefined): Buffer {
  if (dataDir === undefined) return randomBytes(KEY_BYTES);
  const file = join(dataDir, 'kms.key');
  const key = read(file) ?? create(dataDir, file);
  if (key.length !== KEY_BYTES) throw new Error(`${file} is damaged: it must hold ${KEY_BYTES} bytes`);
  return key;
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Complete and on disk before it has its name, so a crash leaves no half key; the first of two starters wins. */
function create(dataDir: string, file: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  writeSync(handle, randomBytes(KEY_BYTES));
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file);
}
