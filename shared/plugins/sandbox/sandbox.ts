import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { guestSource } from './guest.ts';
import type { FromSandbox, PluginShape, ToSandbox } from './message.ts';
import { warden } from './warden.ts';

export interface Limits {
  readonly memoryMb: number;
  /** How long one call may run; time spent waiting for an answer from outside does not count. */
  readonly timeoutMs: number;
}

/** What a plugin may ask of the outside while it runs. */
export interface Outside {
  answer(name: string, data: unknown): Promise<unknown>;
  part?(value: unknown): void;
  log?(level: 'info' | 'warn' | 'error', text: string): void;
}

/** One plugin in a worker thread of its own: an empty environment, limited memory and time, text in and out. */
export interface Sandbox {
  readonly plugin: PluginShape;
  /** One call at a time; the last argument becomes the context the plugin's function sees. */
  call(method: string, args: readonly unknown[], outside: Outside): Promise<unknown>;
  readonly isAlive: () => boolean;
  close(): Promise<void>;
}

const WATCH_MS = 50;

export async function openSandbox(source: string, limits: Limits): Promise<Sandbox> {
  const worker = startWorker(source, limits);
  const state: State = { worker, limits, isAlive: true, current: undefined, calls: 0 };
  const loading = Promise.withResolvers<PluginShape>();
  worker.on('message', (text: string) => receive(state, JSON.parse(text) as FromSandbox, loading));
  worker.on('error', (error) => fail(state, loading, reasonOf(error)));
  worker.on('exit', () => fail(state, loading, 'The plugin stopped its own thread'));
  const patience = Math.max(limits.timeoutMs, 1000);
  const late = setTimeout(() => kill(state, loading, `The plugin did not load within ${patience} ms`), patience);
  const watch = setInterval(() => void watchMemory(state, loading), WATCH_MS).unref();
  worker.once('exit', () => clearInterval(watch));
  try {
    const plugin = await loading.promise;
    return {
      plugin,
      call: (method, args, outside) => call(state, { method, args, outside }),
      isAlive: () => state.isAlive,
      close: () => close(state),
    };
  } catch (error) {
    await close(state);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

const startWorker = (source: string, { memoryMb }: Limits) =>
  new Worker(`(${warden.toString()})()`, {
    eval: true,
    env: {},
    argv: [],
    execArgv: ['--experimental-vm-modules', '--no-warnings'],
    stdout: true,
    stderr: true,
    workerData: { source, guest: guestSource },
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: Math.min(16, memoryMb),
      stackSizeMb: 4,
    },
  });

interface Running {
  readonly id: number;
  readonly outside: Outside;
  readonly done: PromiseWithResolvers<unknown>;
  /** Questions that are still unanswered; while there are any, the clock stands. */
  waiting: number;
  timer: NodeJS.Timeout | undefined;
}

interface State {
  readonly worker: Worker;
  readonly limits: Limits;
  isAlive: boolean;
  current: Running | undefined;
  calls: number;
}

type Loading = PromiseWithResolvers<PluginShape>;

const failure = (message: string) => new AppError('plugin_failed', message);

function call(
  state: State,
  { method, args, outside }: { method: string; args: readonly unknown[]; outside: Outside },
): Promise<unknown> {
  if (!state.isAlive) return Promise.reject(failure('The plugin is no longer running'));
  if (state.current) return Promise.reject(new Error('A sandbox takes one call at a time'));
  state.calls += 1;
  const running: Running = { id: state.calls, outside, done: Promise.withResolvers(), waiting: 0, timer: undefined };
  state.current = running;
  restartClock(state, running);
  post(state, { type: 'call', id: running.id, method, args });
  return running.done.promise.finally(() => {
    clearTimeout(running.timer);
    if (state.current === running) state.current = undefined;
  });
}

const post = (state: State, message: ToSandbox) => state.worker.postMessage(JSON.stringify(message));

function restartClock(state: State, running: Running) {
  clearTimeout(running.timer);
  const { timeoutMs } = state.limits;
  running.timer = setTimeout(() => kill(state, undefined, `The plugin took longer than ${timeoutMs} ms`), timeoutMs);
}

function receive(state: State, message: FromSandbox, loading: Loading) {
  const running = state.current;
  switch (message.type) {
    case 'ready':
      return loading.resolve(message.plugin);
    case 'refused':
      return loading.reject(failure(message.error));
    case 'log':
      return running?.outside.log?.(message.level, message.text);
    case 'part':
      return running?.id === message.id ? running.outside.part?.(message.value) : undefined;
    case 'result':
      if (running?.id !== message.id) return undefined;
      return message.error === undefined
        ? running.done.resolve(message.value)
        : running.done.reject(failure(message.error));
    case 'ask':
      return void answer(state, message);
  }
}

/** Timers are ours to keep; everything else is for whoever made the call. */
async function answer(state: State, { id, call: callId, name, data }: Extract<FromSandbox, { type: 'ask' }>) {
  const running = state.current;
  const isOwn = running !== undefined && (callId === running.id || name === 'timer');
  if (running && name !== 'timer') {
    running.waiting += 1;
    clearTimeout(running.timer);
  }
  const asked =
    name === 'timer'
      ? sleep(Number(data))
      : isOwn
        ? running.outside.answer(name, data)
        : Promise.reject(new Error('This call has ended'));
  const reply = await asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: reasonOf(error) }),
  );
  if (state.isAlive) post(state, { type: 'answer', id, ...reply });
  if (!running || name === 'timer') return;
  running.waiting -= 1;
  if (running.waiting === 0 && state.current === running) restartClock(state, running);
}

const sleep = (ms: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.min(Math.max(ms || 0, 0), 300_000)).unref());

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Heap limits do not cover buffers, so those are watched from outside. */
async function watchMemory(state: State, loading: Loading) {
  if (!state.isAlive) return;
  const statistics = await state.worker.getHeapStatistics().catch(() => undefined);
  const limit = state.limits.memoryMb * 1024 * 1024;
  if (statistics && (statistics.external_memory ?? 0) > limit)
    kill(state, loading, `The plugin used more than ${state.limits.memoryMb} MB`);
}

function kill(state: State, loading: Loading | undefined, reason: string) {
  fail(state, loading, reason);
  void state.worker.terminate();
}

function fail(state: State, loading: Loading | undefined, reason: string) {
  state.isAlive = false;
  loading?.reject(failure(reason));
  state.current?.done.reject(failure(reason));
}

async function close(state: State) {
  fail(state, undefined, 'The plugin was stopped');
  await state.worker.terminate();
}
