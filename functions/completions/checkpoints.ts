import type { MessageRef } from '../../shared/chat/keys.ts';
import type { Recording } from '../../shared/completion/recording.ts';
import { log } from '../../shared/log.ts';
import type { KeeperParts } from './keeper.ts';

/** Looks at a growing reply about once a second: writes down what is new, and asks whether somebody wants it to stop. */
export interface Checkpoints {
  /** Called before each look from now on. */
  gatherBy(gather: () => void): void;
  /** No more looks; resolves when the last one is over. */
  end(): Promise<void>;
}

export interface Looking {
  readonly taskId: string;
  readonly ref: MessageRef;
  readonly recording: Recording;
  readonly stop: AbortController;
}

const LOOK_MS = 1000;
const BEAT_MS = 15_000;

export function createCheckpoints(parts: KeeperParts, { taskId, ref, recording, stop }: Looking): Checkpoints {
  const isStopped = createBeat(parts, taskId);
  let saved = recording.reply();
  let look: Promise<void> | undefined;
  let gather = () => {};

  const lookAt = async () => {
    const reply = recording.reply();
    // A message that was deleted, with or without its chat, waits for no reply.
    const isWanted = reply === saved || (await parts.chats.saveReply(ref, recording.soFar()));
    saved = reply;
    if (!isWanted || (await isStopped())) stop.abort();
  };
  const timer = setInterval(() => {
    gather();
    // A slow table is not asked faster than it answers.
    look ??= lookAt()
      .catch((error: unknown) => log.warn('checkpoint failed', { id: ref.messageId, error }))
      .finally(() => (look = undefined));
  }, LOOK_MS);
  return {
    gatherBy: (given) => void (gather = given),
    async end() {
      clearInterval(timer);
      await look;
    },
  };
}

/** Says now and then that the task is alive, which a look at its row need not do every time. */
function createBeat({ tasks, now }: KeeperParts, taskId: string): () => Promise<boolean> {
  let last = now();
  return async () => {
    if (now() - last < BEAT_MS) return tasks.isStopped(taskId);
    last = now();
    return (await tasks.beat(taskId)) === 'stop';
  };
}
