import { AppError, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { Memory } from '../../shared/tools/memories.ts';

export interface MemoryParts {
  readonly settings: Pick<Settings, 'ENABLE_MEMORIES'>;
  readonly list: (userId: string) => Promise<Memory[]>;
  readonly add: (userId: string, content: string) => Promise<Memory>;
  readonly remove: (userId: string, id: string) => Promise<boolean>;
}

/** Everybody sees and changes only what is remembered about themselves. */
export function createMemories({ settings, list, add, remove }: MemoryParts) {
  const demandOn = () => {
    if (!settings.ENABLE_MEMORIES) throw new AppError('not_available', 'Memories are switched off');
  };
  return {
    async list({ userId }: UserActor) {
      demandOn();
      return list(userId);
    },
    async add({ userId }: UserActor, content: string) {
      demandOn();
      return add(userId, content);
    },
    async remove({ userId }: UserActor, id: string) {
      demandOn();
      if (!(await remove(userId, id))) throw notFound('Memory');
      return true;
    },
  };
}

export type Memories = ReturnType<typeof createMemories>;
