import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { configureLog } from '../../shared/log.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { startEngine } from './engine.ts';
import { localEnvironment, type Endpoints } from './environment.ts';
import { loadEndpoints } from './families.ts';
import { startObjects } from './objects.ts';
import type { LocalOptions } from './options.ts';
import { listen, startServer } from './server.ts';
import { createTables } from './tables.ts';

export interface LocalHost {
  readonly url: string;
  readonly settings: Settings;
  readonly folder: DataFolder;
  stop(): Promise<void>;
}

export interface HostEvents {
  /** A step is about to start; for the person who waits. */
  progress(step: string): void;
  /** Something the host cannot live without has died. */
  fatal(reason: string): void;
}

type Stop = () => Promise<unknown> | void;

/** Starts everything in order and stops it in reverse; a failure half-way leaves nothing running. */
export async function startLocalHost(options: LocalOptions, events: HostEvents): Promise<LocalHost> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    return { ...(await start(options, events, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: LocalOptions, events: HostEvents, stops: Stop[]) {
  const server = await listen(options.port);
  stops.push(() => void server.close());
  const folder = openDataFolder(options.dataDir);
  stops.push(() => folder.release());
  const endpoints = await startServices(folder, events, stops);
  const settings = await prepareEnvironment(folder, endpoints, server);
  events.progress('Creating tables');
  await createTables();
  events.progress('Loading the functions');
  const running = await startServer(await loadEndpoints(), settings, server);
  stops.push(() => running.stop());
  const url = `http://localhost:${running.port}`;
  writeFileSync(path.join(folder.path, 'host.json'), JSON.stringify({ url, pid: process.pid, endpoints }, null, 2));
  return { url, settings, folder };
}

async function startServices(folder: DataFolder, events: HostEvents, stops: Stop[]): Promise<Endpoints> {
  events.progress('Starting the database engine and the object store');
  const [engine, objects] = await Promise.all([
    process.env['AWS_ENDPOINT_URL_DYNAMODB']
      ? undefined
      : startEngine(path.join(folder.path, 'tables.db'), (reason) => events.fatal(reason)),
    startObjects(path.join(folder.path, 'objects')),
  ]);
  stops.push(
    () => engine?.stop(),
    () => objects.stop(),
  );
  return {
    dynamodb: engine?.endpoint ?? process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    s3: objects.endpoint,
    aws: objects.endpoint,
  };
}

/** What the person has set in the environment wins over what this host would choose. */
async function prepareEnvironment(
  folder: DataFolder,
  endpoints: Endpoints,
  server: Awaited<ReturnType<typeof listen>>,
) {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const chosen = {
    ENV: 'dev',
    SVC_URL: `http://localhost:${port}`,
    SVC_AUTH_COOKIE_SECURE: 'false',
    SVC_SESSION_COOKIE_SECURE: 'false',
    LOG_LEVEL: 'warn',
  };
  process.env = { ...chosen, ...folder.secrets, ...localEnvironment(endpoints), ...process.env };
  configureLog({ write: (line) => void process.stderr.write(line) });
  return loadSettings();
}
