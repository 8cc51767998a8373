import { invalid } from '../errors.ts';
import { encodeChatRequest } from '../llm/chat/encode-request.ts';
import { ChatRequest, decodeChatRequest } from '../llm/chat/request.ts';
import type { Fields } from '../llm/turn.ts';
import type { Filter, Plugins, Scope } from './plugins.ts';
import type { Ask, Speak } from './speech.ts';

/** The way of one request through everything that is plugged in. */
export interface Passage {
  /** The request cannot be relayed as it is, because somebody wants to see it. */
  readonly isExamined: boolean;
  /** Nobody wants to see anything, neither the request nor the answer. */
  readonly isClear: boolean;
  readonly inlet: (ask: Ask) => Promise<Ask>;
  readonly speak: Speak;
  readonly outlets: readonly Filter[];
}

export async function openPassage(plugins: Plugins, speak: Speak, scope: Scope): Promise<Passage> {
  const filters = (await Promise.all(plugins.filters.map((find) => find(scope)))).flat();
  const inlets = filters.filter(({ inlet }) => inlet);
  const streams = filters.filter(({ stream }) => stream);
  let wrapped = speak;
  for (const wrap of plugins.wraps) wrapped = (await wrap(wrapped, scope)) ?? wrapped;
  const heard: Speak = async (ask, signal) => {
    const { filteredSpeech } = await import('./stream-filter.ts');
    return filteredSpeech(await wrapped(ask, signal), streams, scope);
  };
  const isExamined = inlets.length > 0 || wrapped !== speak;
  return {
    isExamined,
    isClear: !isExamined && streams.length === 0,
    inlet: (ask) => applyInlets(ask, inlets, scope),
    speak: streams.length > 0 ? heard : wrapped,
    outlets: filters.filter(({ outlet }) => outlet),
  };
}

async function applyInlets(ask: Ask, inlets: readonly Filter[], scope: Scope): Promise<Ask> {
  if (inlets.length === 0) return ask;
  let body: Fields = encodeChatRequest(ask.turn());
  for (const { inlet } of inlets) body = (await inlet?.(body, scope)) ?? body;
  const turn = decodeChatRequest(demandRequest(body));
  return { turn: () => turn, isStreamed: turn.stream };
}

/** A filter is not more trusted than a caller. */
function demandRequest(body: Fields): ChatRequest {
  const result = ChatRequest.safeParse(body);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: ['filter', ...path.map(String)],
      msg: message,
    })),
  );
}

/** Runs the finished conversation through the outlets, in order. */
export async function applyOutlets(payload: Fields, outlets: readonly Filter[], scope: Scope): Promise<Fields> {
  let filtered = payload;
  for (const { outlet } of outlets) filtered = (await outlet?.(filtered, scope)) ?? filtered;
  return filtered;
}
