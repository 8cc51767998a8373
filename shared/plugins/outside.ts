import { AppError } from '../errors.ts';
import type { Outbound } from '../net/outbound.ts';
import type { CallLog } from './call-log.ts';
import { createFetch } from './plugin-fetch.ts';
import type { PluginCall } from './runner.ts';
import type { Outside } from './sandbox/sandbox.ts';
import type { Voice } from './voice.ts';

/** What one call can reach: addresses that are open to it, the user, its own log. */
export function outsideOf(
  { voice, onPart, signal }: PluginCall,
  { outbound, log }: { readonly outbound: Outbound; readonly log: CallLog },
): Outside {
  const fetchInTurn = createFetch(outbound, signal);
  const emit = voice && createEmit(voice);
  return {
    answer: async (name, data) => {
      if (name === 'fetch') return fetchInTurn(data);
      if (name === 'emit') return (await emit?.(data)) ?? null;
      if (name === 'question' && voice) return voice.ask(data, signal);
      throw new AppError('plugin_failed', 'There is nobody to ask: the request names no chat, message and session');
    },
    log: (level, text) => log.add(level, text),
    ...(onPart && { part: onPart }),
    ...(signal && { signal }),
  };
}

const MOST_EMITTED = 64;

/** Emitting takes no time until so many events wait to be stored and sent; from then on the plugin waits with them. */
function createEmit(voice: Voice) {
  let waiting = 0;
  let settling: Promise<void> | undefined;
  const settle = async () => {
    await voice.settled();
    waiting = 0;
    settling = undefined;
  };
  return async (event: unknown) => {
    await voice.emit(event);
    waiting += 1;
    if (waiting > MOST_EMITTED) await (settling ??= settle());
  };
}
