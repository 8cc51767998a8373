import { writeFileSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { configureLog } from '../../shared/log.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { declareSoleWriter } from '../../shared/store/sole-writer.ts';
import type { AwsHost } from './aws/host.ts';
import { keepStreamsShort } from './aws/lambda/stream-upkeep.ts';
import { startCloud } from './cloud.ts';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { startEngine } from './engine.ts';
import { localEnvironment, type Endpoints } from './environment.ts';
import { loadEndpoints, loadJobs, type LoadedJob } from './families.ts';
import { runJob, startJobs } from './jobs.ts';
import { mailboxEndpoints, openMailbox, type Mailbox } from './mailbox.ts';
import { startObjects } from './objects.ts';
import type { LocalOptions } from './options.ts';
import { listen, portOf, startServer } from './server.ts';
import { createSocketGateway, type SocketGateway } from './sockets.ts';
import { createTables } from './tables.ts';

export interface LocalHost {
  readonly url: string;
  readonly settings: Settings;
  readonly folder: DataFolder;
  /** What to print about the demo company, when there is one. */
  readonly demo: readonly string[];
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
  const services = await startServices(folder, events, stops);
  const settings = await prepareEnvironment(folder, services.endpoints, server);
  events.progress('Creating tables');
  await createTables();
  events.progress('Loading the functions');
  const url = `http://localhost:${await startFunctions(server, settings, services, stops)}`;
  const demo = options.demo ? await demonstrate(settings, url, events) : [];
  const record = { url, pid: process.pid, endpoints: services.endpoints };
  writeFileSync(path.join(folder.path, 'host.json'), JSON.stringify(record, null, 2));
  return { url, settings, folder, demo };
}

async function demonstrate(settings: Settings, url: string, events: HostEvents) {
  events.progress('Making the demo company');
  const { seedDemo } = await import('./demo.ts');
  return (await seedDemo(settings, url)).lines;
}

interface Services {
  readonly endpoints: Endpoints;
  readonly cloud: AwsHost;
  readonly mailbox: Mailbox;
  readonly sockets: SocketGateway;
  /** Known once the functions are loaded; a schedule that is due earlier waits for it. */
  readonly jobs: PromiseWithResolvers<readonly LoadedJob[]>;
}

async function startServices(folder: DataFolder, events: HostEvents, stops: Stop[]): Promise<Services> {
  events.progress('Starting the database engine, the object store and the queues');
  const jobs = Promise.withResolvers<readonly LoadedJob[]>();
  jobs.promise.catch(() => {});
  const mailbox = openMailbox(path.join(folder.path, 'mail'));
  const sockets = createSocketGateway();
  const tables = path.join(folder.path, 'tables.db');
  const ownEngine = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const [engine, objects, cloud] = await Promise.all([
    ownEngine ? undefined : startEngine(tables, (reason) => events.fatal(reason)),
    startObjects(path.join(folder.path, 'objects')),
    startCloud({
      dataDir: folder.path,
      mailbox,
      sockets,
      invoke: async (name, event) => runJob(await jobs.promise, name, event),
    }),
  ]);
  if (engine) declareSoleWriter();
  const upkeep = engine && keepStreamsShort({ file: tables, positions: cloud.positions });
  stops.push(
    () => engine?.stop(),
    () => objects.stop(),
    () => cloud.stop(),
    () => upkeep?.stop(),
    // A start that failed never loads them; what waits for them must not hold up the end.
    () => jobs.reject(new Error('The functions were never loaded')),
  );
  const endpoints = { dynamodb: engine?.endpoint ?? ownEngine ?? '', s3: objects.endpoint, aws: cloud.endpoint };
  return { endpoints, cloud, mailbox, sockets, jobs };
}

/** What the person has set in the environment wins over what this host would choose. */
async function prepareEnvironment(folder: DataFolder, endpoints: Endpoints, server: http.Server) {
  const chosen = {
    ENV: 'dev',
    SVC_URL: `http://localhost:${portOf(server)}`,
    SVC_AUTH_COOKIE_SECURE: 'false',
    SVC_SESSION_COOKIE_SECURE: 'false',
    LOG_LEVEL: 'warn',
  };
  process.env = { ...chosen, ...folder.secrets, ...localEnvironment(endpoints), ...process.env };
  configureLog({ write: (line) => void process.stderr.write(line) });
  return loadSettings();
}

/** The port on which they answer. The front door closes first when the host stops, then the jobs drain. */
async function startFunctions(server: http.Server, settings: Settings, services: Services, stops: Stop[]) {
  const { cloud, endpoints, mailbox, sockets, jobs } = services;
  const [families, loaded] = await Promise.all([loadEndpoints(), loadJobs()]);
  jobs.resolve(loaded);
  const running = startJobs(loaded, cloud, endpoints.dynamodb);
  stops.push(() => running.stop());
  const socketJob = loaded.find(({ spec }) => 'sockets' in spec.source);
  if (socketJob) sockets.attach(server, socketJob);
  const pages = settings.ENV === 'dev' ? mailboxEndpoints(mailbox) : [];
  const front = startServer(server, { endpoints: [...families, ...pages], settings, onChange: running.nudge });
  stops.push(
    () => front.stop(),
    () => sockets.stop(),
  );
  return portOf(server);
}
