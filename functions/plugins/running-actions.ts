import { createRunner, type Runner, type RunnerParts } from '../../shared/plugins/runner.ts';
import { readPlugins } from '../../shared/plugins/store.ts';
import { voiceAt } from '../../shared/plugins/voice.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { createRunAction, type RunAction } from './actions.ts';
import { readHeader } from './store.ts';

let runner: Runner | undefined;

/** The composition root of everything that only actions need. */
export const createActions = (
  parts: RunnerParts & { readonly settings: Pick<Settings, 'WEBSOCKET_EVENT_CALLER_TIMEOUT'> },
): RunAction =>
  createRunAction({
    all: readPlugins,
    runner: (runner ??= createRunner(parts)),
    voiceAt: ({ userId }, place) => voiceAt(userId, place, parts.settings.WEBSOCKET_EVENT_CALLER_TIMEOUT),
    ownsChat: async ({ userId }, chatId) => (await readHeader({ owner: userId, chatId })) !== undefined,
  });
