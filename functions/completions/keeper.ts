import type { MessageRef } from '../../shared/chat/keys.ts';
import type { ChatStore } from '../../shared/chat/store.ts';
import type { Recording } from '../../shared/completion/recording.ts';
import type { TaskRows } from '../../shared/completion/task-rows.ts';
import { newId } from '../../shared/ids.ts';
import type { ModelError } from '../../shared/llm/model-error.ts';
import { log } from '../../shared/log.ts';
import type { Clock } from '../../shared/time.ts';
import { createCheckpoints } from './checkpoints.ts';
import type { Running } from './running.ts';
import type { Teller } from './teller.ts';

export interface KeeperParts {
  readonly chats: Pick<ChatStore, 'saveReply'>;
  readonly tasks: TaskRows;
  readonly running: Running;
  readonly now: Clock;
}

export interface Kept {
  readonly ref: MessageRef;
  readonly recording: Recording;
  readonly teller: Teller;
}

/** Writes a growing reply into its message, and keeps the list of running replies true. */
export interface Keeper {
  readonly taskId: string;
  /** Aborted when somebody stops the reply. */
  readonly signal: AbortSignal;
  /** The task can be listed and stopped by everyone who may. */
  readonly announced: Promise<void>;
  /** Called before each look at the reply from now on. */
  readonly gatherBy: (gather: () => void) => void;
  /** Complete, failed or stopped: the message is done. Only the first call counts. */
  readonly finish: (failure?: ModelError) => Promise<void>;
  /** Everybody has been told. */
  readonly settled: () => Promise<void>;
}

export function createKeeper(parts: KeeperParts, { ref, recording, teller }: Kept): Keeper {
  const { chats, tasks, running, now } = parts;
  const taskId = newId();
  const stop = new AbortController();
  const warn = (error: unknown) => log.warn('reply not kept', { id: ref.messageId, error });
  const announced = tasks.add({ taskId, ...ref, startedAt: now() }).catch(warn);
  const checkpoints = createCheckpoints(parts, { taskId, ref, recording, stop });
  running.add(taskId, stop);
  teller.begin();
  let end: Promise<void> | undefined;
  let told: Promise<void> | undefined;

  const finish = async (failure: ModelError | undefined) => {
    await Promise.all([checkpoints.end(), announced]);
    running.remove(taskId);
    await Promise.all([chats.saveReply(ref, recording.atEnd(failure)), tasks.remove(taskId)]).catch(warn);
    told = teller.end({ recording, messageId: ref.messageId, failure, isStopped: stop.signal.aborted });
  };
  return {
    taskId,
    signal: stop.signal,
    announced,
    gatherBy: (gather) => checkpoints.gatherBy(gather),
    finish: (failure) => (end ??= finish(failure)),
    async settled() {
      await end;
      await told;
    },
  };
}
