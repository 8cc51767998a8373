import type { TaskRows } from '../../shared/completion/task-rows.ts';
import { notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { Running } from './running.ts';

export interface TaskParts {
  readonly tasks: TaskRows;
  readonly running: Running;
}

const STOPPED = { status: true as const, message: 'The reply is being stopped' };

export const createTasks = ({ tasks, running }: TaskParts) => {
  const stop = async (taskId: string, owner: string | undefined) => {
    const isStopped = await tasks.stop(taskId, owner);
    if (isStopped) running.stop(taskId);
    return isStopped;
  };
  return {
    all: async () => ({ tasks: (await tasks.all()).map(({ taskId }) => taskId) }),
    /** A chat that is not there, or somebody else's, has no tasks either. */
    async ofChat(actor: UserActor, chatId: string) {
      const found = await tasks.ofChat({ owner: actor.userId, chatId });
      return { task_ids: found.map(({ taskId }) => taskId) };
    },
    async stopChat(actor: UserActor, chatId: string) {
      const found = await tasks.ofChat({ owner: actor.userId, chatId });
      const stopped = await Promise.all(found.map(({ taskId }) => stop(taskId, actor.userId)));
      if (!stopped.some(Boolean)) throw notFound('Task');
      return STOPPED;
    },
    async stopTask(actor: UserActor | OperatorActor, taskId: string) {
      if (!(await stop(taskId, actor.kind === 'user' ? actor.userId : undefined))) throw notFound('Task');
      return STOPPED;
    },
  };
};
