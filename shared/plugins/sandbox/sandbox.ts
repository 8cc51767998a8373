import type { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { startClock, type CallClock } from './clock.ts';
import { createFlow, type Flow } from './flow.ts';
import type { Limits } from './limits.ts';
import { readMessage, type FromSandbox, type PluginShape, type ToSandbox } from './message.ts';
import { reasonOf, sizeOf, startWorker } from './thread.ts';
import { watchWorker } from './watch.ts';

/** What a plugin may ask of the outside while it runs. */
export interface Outside {
  answer(name: string, data: unknown): Promise<unknown>;
  /** When it promises something, the plugin may say only little more until then. */
  part?(value: unknown): Promise<void> | void;
  log?(level: 'info' | 'warn' | 'error', text: string): void;
  /** Nobody waits for the result any more: the sandbox is stopped, since nothing else ends what runs in it. */
  readonly signal?: AbortSignal;
}

/** One plugin in a worker thread of its own: an empty environment, limited memory and time, text in and out. */
export interface Sandbox {
  readonly plugin: PluginShape;
  /** One call at a time; the last argument becomes the context the plugin's function sees. */
  call(method: string, args: readonly unknown[], outside: Outside): Promise<unknown>;
  /** Megabytes that it holds now. */
  size(): Promise<number>;
  readonly isAlive: () => boolean;
  close(): Promise<void>;
}

export async function openSandbox(source: string, limits: Limits): Promise<Sandbox> {
  const state = start(source, limits);
  const patience = Math.max(limits.timeoutMs, 1000);
  const late = setTimeout(() => kill(state, `The plugin did not load within ${patience} ms`), patience);
  try {
    const plugin = await state.loading.promise;
    state.isLoaded = true;
    return {
      plugin,
      call: (method, args, outside) => call(state, { method, args, outside }),
      size: () => sizeOf(state.worker),
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

interface State {
  readonly worker: Worker;
  readonly limits: Limits;
  readonly flow: Flow;
  readonly loading: PromiseWithResolvers<PluginShape>;
  isLoaded: boolean;
  isAlive: boolean;
  current: Running | undefined;
  calls: number;
}

interface Running {
  readonly id: number;
  readonly outside: Outside;
  readonly done: PromiseWithResolvers<unknown>;
  readonly clock: CallClock;
  /** Questions that are still unanswered. */
  open: number;
}

/** More unanswered questions than this are a flood. */
const MOST_OPEN = 256;

function start(source: string, limits: Limits): State {
  const flow = createFlow();
  const worker = startWorker(source, limits, flow);
  const loading = Promise.withResolvers<PluginShape>();
  const state: State = { worker, limits, flow, loading, isLoaded: false, isAlive: true, current: undefined, calls: 0 };
  loading.promise.catch(() => {}); // a sandbox may die before anybody waits for it
  worker.on('message', (text: unknown) => hear(state, text));
  worker.on('error', (error) => fail(state, reasonOf(error)));
  const unwatch = watchWorker({
    worker,
    limits,
    task: () => (state.isLoaded ? state.current : loading),
    kill: (reason) => kill(state, reason),
  });
  worker.once('exit', () => {
    unwatch();
    flow.stop();
    fail(state, 'The plugin stopped its own thread');
  });
  return state;
}

const LEFT = 'Nobody waits for the answer of the plugin any more';
const failure = (message: string) => new AppError('plugin_failed', message);

function call(
  state: State,
  { method, args, outside }: { method: string; args: readonly unknown[]; outside: Outside },
): Promise<unknown> {
  if (!state.isAlive) return Promise.reject(failure('The plugin is no longer running'));
  if (state.current) return Promise.reject(new Error('A sandbox takes one call at a time'));
  if (outside.signal?.aborted) return Promise.reject(failure(LEFT));
  state.calls += 1;
  const { timeoutMs } = state.limits;
  const clock = startClock(timeoutMs, () => kill(state, `The plugin took longer than ${timeoutMs} ms`));
  const running: Running = { id: state.calls, outside, done: Promise.withResolvers(), clock, open: 0 };
  state.current = running;
  const leave = () => kill(state, LEFT);
  outside.signal?.addEventListener('abort', leave, { once: true });
  post(state, { type: 'call', id: running.id, method, args });
  return running.done.promise.finally(() => {
    clock.stop();
    outside.signal?.removeEventListener('abort', leave);
    if (state.current === running) state.current = undefined;
  });
}

function post(state: State, message: ToSandbox) {
  const text = JSON.stringify(message);
  if (state.flow.isDeaf(text.length)) return kill(state, 'The plugin does not listen to what it asked for');
  state.worker.postMessage(text);
}

/** What was heard makes room for more, a part only when somebody has taken it; the clock runs on meanwhile. */
function hear(state: State, text: unknown) {
  const heard = () => state.flow.done(typeof text === 'string' ? text.length : 0);
  const message = readMessage(text);
  if (!message) return kill(state, 'The plugin said something that is not understood');
  const taken = receive(state, message);
  if (taken instanceof Promise) taken.then(heard, heard);
  else heard();
}

function receive(state: State, message: FromSandbox) {
  const running = state.current;
  switch (message.type) {
    case 'ready':
      return state.loading.resolve(message.plugin);
    case 'refused':
      return state.loading.reject(failure(message.error));
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

async function answer(state: State, { id, call: callId, name, data }: Extract<FromSandbox, { type: 'ask' }>) {
  const running = state.current?.id === callId ? state.current : undefined;
  if (!running) return post(state, { type: 'answer', id, error: 'This call has ended' });
  running.open += 1;
  if (running.open > MOST_OPEN) return kill(state, 'The plugin asks for too much at once');
  const resume = running.clock.hold();
  const reply = await running.outside.answer(name, data).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: reasonOf(error) }),
  );
  running.open -= 1;
  if (state.isAlive) post(state, { type: 'answer', id, ...reply });
  resume();
}

function kill(state: State, reason: string) {
  fail(state, reason);
  void state.worker.terminate();
}

function fail(state: State, reason: string) {
  state.isAlive = false;
  state.loading.reject(failure(reason));
  state.current?.done.reject(failure(reason));
}

async function close(state: State) {
  fail(state, 'The plugin was stopped');
  await state.worker.terminate();
}
