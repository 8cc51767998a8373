import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a running host and the services behind it can be reached. */
export interface HostInfo {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly endpoints: { readonly dynamodb: string; readonly s3: string; readonly aws: string };
}

export interface SpawnedHost extends HostInfo {
  readonly process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Secrets that every test host shares, so that tests can mint tokens for any of them. */
export const TEST_ENVIRONMENT = {
  ENV: 'dev',
  JWT_SECRET: 'test-secret-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  SVC_EVENT_API_KEY: 'test-event-key-0123456789abcdef',
  ADMIN_SETUP_KEY: 'test-setup-key-0123456789abcdefghijklmnop',
  LOGIN_FAIL_FLOOR_MS: '0',
  BCRYPT_COST: '4',
  OUTBOUND_ALLOWED_HOSTS: 'localhost,127.0.0.1',
};

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Reuse a folder to prove what survives a restart. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
}

/** A real host in a process of its own, as a person would start it. */
export async function spawnHost({ env = {}, dataDir, args = [] }: SpawnOptions = {}): Promise<SpawnedHost> {
  const folder = dataDir ?? mkdtempSync(path.join(tmpdir(), 'atrium-test-'));
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: process.env['CI'] };
  const child = spawn(process.execPath, ['bin/local.ts', '--port', '0', '--data', folder, ...args], {
    env: { ...inherited, ...TEST_ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await untilRunning(child, () => printed);
  const info = JSON.parse(readFileSync(path.join(folder, 'host.json'), 'utf8')) as Omit<HostInfo, 'dataDir'>;
  return {
    ...info,
    dataDir: folder,
    process: child,
    output: () => printed,
    async stop(signal = 'SIGTERM') {
      await ended(child, signal);
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilRunning(child: ChildProcess, printed: () => string) {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (printed().includes('is running at')) return;
    if (child.exitCode !== null) throw new Error(`The host stopped with code ${child.exitCode}:\n${printed()}`);
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`The host did not start within a minute:\n${printed()}`);
}

async function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
