import { AppError } from '../errors.ts';
import { collect, type Reply } from '../llm/reply.ts';
import type { Turn } from '../llm/turn.ts';
import { log } from '../log.ts';
import type { Settings } from '../settings/variables.ts';
import { refusalOf } from './refusal.ts';
import type { Speaker } from './speaker.ts';
import type { Target } from './target.ts';
import type { Targets } from './targets.ts';

export interface TaskParts {
  readonly targets: Pick<Targets, 'findForService'>;
  readonly speaker: Speaker;
  readonly settings: Pick<Settings, 'TASK_MODEL' | 'TASK_MODEL_EXTERNAL'>;
}

/**
 * The model for the gateway's own small tasks beside a reply of this one. A model that an operator has set but that is not
 * there any more must not cost anybody their title.
 */
export async function taskModelFor({ targets, settings }: TaskParts, target: Target): Promise<Target> {
  const id = target.isLocal ? settings.TASK_MODEL : settings.TASK_MODEL_EXTERNAL;
  if (id === '') return target;
  return targets.findForService(id).catch((error: unknown) => {
    log.warn('the task model cannot be used', { id, error });
    return target;
  });
}

/** Puts a small task beside a reply to a model and gives back what it wrote. */
export type AskTask = (target: Target, prompt: string, signal: AbortSignal) => Promise<string>;

export const createAskTask =
  (parts: TaskParts): AskTask =>
  async (target, prompt, signal) => {
    const model = await taskModelFor(parts, target);
    const turn = taskTurn(model, prompt);
    const speech = await parts.speaker(model)({ turn: () => turn, isStreamed: false }, signal);
    let reply: Reply | undefined;
    await speech.listen((events) => void (reply = collect(events, reply)));
    if (reply?.error) throw refusalOf(reply.error);
    if (!reply) throw new AppError('upstream_failed', 'The model said nothing');
    return reply.text;
  };

export const taskTurn = ({ id }: Target, prompt: string): Turn => ({
  origin: 'chat',
  model: id,
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }],
  tools: [],
  params: {},
  stop: [],
  stream: false,
  wantsUsage: false,
  native: {},
  extra: {},
});
