import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './options.ts';

export interface Engine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The DynamoDB engine as a child of this process, on a file, or in memory when there is none. */
export async function startEngine(file: string | undefined, onDeath: (reason: string) => void): Promise<Engine> {
  const port = await freePort();
  const where = file === undefined ? [] : ['--db-path', file];
  const child = spawn(engineBinary(), ['serve', '--port', String(port), ...where], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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
