import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './options.ts';

export interface Engine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The DynamoDB engine as a child of this process, on one file. */
export async function startEngine(file: string, onDeath: (reason: string) => void): Promise<Engine> {
  await endOrphan(file);
  const port = await freePort();
  const child = spawn(engineBinary(), ['serve', '--port', String(port), '--db-path', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  writeFileSync(pidFile(file), String(child.pid));
  let isStopping = false;
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-500)));
  child.once('exit', (code) => {
    if (!isStopping) onDeath(`The database engine stopped (exit code ${code}). ${complaint.trim()}`);
  });
  await untilListening(port, child);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      isStopping = true;
      await terminate(child);
    },
  };
}

const pidFile = (file: string) => `${file}.pid`;

/** A host that was killed leaves its engine behind, and two engines must never share a file. */
async function endOrphan(file: string) {
  const pid = existsSync(pidFile(file)) ? Number(readFileSync(pidFile(file), 'utf8')) : 0;
  const isOurs = () =>
    pid > 0 && spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).stdout.includes(file);
  if (!isOurs()) return;
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < 2000 && isOurs(); waited += 20) await sleep(20);
  if (isOurs()) process.kill(pid, 'SIGKILL');
}

function engineBinary() {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const binary = createRequire(import.meta.url)
      .resolve(`${name}/package.json`)
      .replace('package.json', 'dynoxide');
    if (existsSync(binary)) return binary;
  } catch {
    // reported below with what to do about it
  }
  throw new StartError(
    `The database engine for ${process.platform}-${process.arch} is not installed: run "npm install --no-save ${name}", or point AWS_ENDPOINT_URL_DYNAMODB at a DynamoDB of your own.`,
  );
}

export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number, child: ChildProcess) {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (child.exitCode !== null)
      throw new StartError('The database engine did not start; is its file damaged or in use?');
    if (await canConnect(port)) return;
    await sleep(10);
  }
  throw new StartError('The database engine did not answer within 5 seconds.');
}

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

async function terminate(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([gone, sleep(2000).then(() => child.kill('SIGKILL'))]);
}
