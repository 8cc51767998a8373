import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartError } from './options.ts';

export interface DataFolder {
  readonly path: string;
  readonly isEphemeral: boolean;
  /** Secrets that were missing and have just been made, by name. */
  readonly generated: readonly string[];
  /** Everything the host remembers about itself between starts. */
  readonly secrets: Readonly<Record<string, string>>;
  release(): void;
}

/** Takes the folder for this process alone; two hosts on one database would corrupt it. */
export function openDataFolder(requested: string | undefined): DataFolder {
  const folder = requested === undefined ? mkdtempSync(path.join(tmpdir(), 'atrium-')) : path.resolve(requested);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = path.join(folder, 'lock');
  takeLock(lock, folder);
  const { secrets, generated } = readSecrets(path.join(folder, 'secrets.json'));
  return {
    path: folder,
    isEphemeral: requested === undefined,
    generated,
    secrets,
    release() {
      rmSync(lock, { force: true });
      if (requested === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function takeLock(lock: string, folder: string) {
  const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
  if (holder && holder !== process.pid && isRunning(holder)) {
    throw new StartError(
      `The data folder ${folder} is in use by process ${holder}; stop it, or choose another with --data.`,
    );
  }
  writeFileSync(lock, String(process.pid));
}

/** A lock that survived kill -9 names a process that is gone, or one that is something else by now. */
function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes('node');
}

const SECRETS = {
  JWT_SECRET: () => randomBytes(64).toString('base64url'),
  ADMIN_SETUP_KEY: () => randomBytes(32).toString('base64url'),
  SVC_EVENT_API_KEY: () => randomBytes(24).toString('base64url'),
  SEAL_LOCAL_KEY: () => randomBytes(32).toString('base64'),
};

function readSecrets(file: string) {
  const known: Record<string, string> = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
    : {};
  const missing = Object.entries(SECRETS).filter(([name]) => !known[name] && !process.env[name]);
  for (const [name, make] of missing) known[name] = make();
  if (missing.length) writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
  return { secrets: known, generated: missing.map(([name]) => name) };
}
