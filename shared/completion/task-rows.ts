import * as z from 'zod';
import { ConditionFailed } from '../store/dynamodb.ts';
import { present, when } from '../store/expression.ts';
import { openTable, type Row } from '../store/table.ts';
import { toSeconds, type Millis } from '../time.ts';

/**
 * Replies that are being written, in the table `realtime`, so that any process can list and stop them.
 *
 *   TASKS#<shard>   <task>   one row per reply; the shard is the first letter of the id, so no partition gets hot
 *   in gsi1: TASKS#<owner>#<chat>, to find those of a chat
 */
export const Task = z.object({
  taskId: z.string(),
  owner: z.string(),
  chatId: z.string(),
  messageId: z.string(),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** When its process last said that it is alive. */
  beatAt: z.number(),
  /** Epoch seconds; nothing runs longer. */
  ttl: z.number(),
  isStopped: z.boolean().optional(),
});
export type Task = z.output<typeof Task>;

export interface TaskRows {
  add(task: Omit<Task, 'ttl' | 'beatAt'>): Promise<void>;
  remove(taskId: string): Promise<void>;
  /** Says that the task is alive, and hears whether it should end. */
  beat(taskId: string): Promise<'go-on' | 'stop'>;
  isStopped(taskId: string): Promise<boolean>;
  get(taskId: string): Promise<Task | undefined>;
  ofChat(chat: { readonly owner: string; readonly chatId: string }): Promise<Task[]>;
  all(): Promise<Task[]>;
  /** Those whose process has not said for so long that it is alive. */
  silentFor(ms: number): Promise<Task[]>;
  /** Takes over what a dead process has left; only one of several can. */
  claim(task: Task): Promise<boolean>;
  /** False when there is nothing to stop, or it is not the owner's. */
  stop(taskId: string, owner?: string): Promise<boolean>;
}

const table = openTable('realtime');

const SHARDS = Array.from({ length: 16 }, (_, i) => i.toString(16));
const keyOf = (taskId: string) => ({ pk: `TASKS#${taskId.slice(0, 1)}`, sk: taskId });
const chatPartition = (owner: string, chatId: string) => `TASKS#${owner}#${chatId}`;

export function createTaskRows(now: () => Millis, longestMs: number): TaskRows {
  const isAlive = ({ ttl }: Task) => ttl > toSeconds(now());
  const read = (rows: readonly Row[]) => rows.map((row) => Task.parse(row)).filter(isAlive);
  return {
    async add(task) {
      const at = now();
      const ttl = toSeconds(at) + Math.ceil(longestMs / 1000) + 60;
      const index = { gsi1pk: chatPartition(task.owner, task.chatId), gsi1sk: task.taskId };
      await table.put({ ...keyOf(task.taskId), ...index, ...task, beatAt: at, ttl });
    },
    async remove(taskId) {
      await table.delete(keyOf(taskId));
    },
    async beat(taskId) {
      const row = await change(table.update(keyOf(taskId), { set: { beatAt: now() } }, present));
      return row?.['isStopped'] === true ? 'stop' : 'go-on';
    },
    isStopped: async (taskId) => (await table.get(keyOf(taskId)))?.['isStopped'] === true,
    async get(taskId) {
      const row = isTaskId(taskId) ? await table.get(keyOf(taskId)) : undefined;
      return row && read([row])[0];
    },
    ofChat: async ({ owner, chatId }) =>
      read(await Array.fromAsync(table.walk({ pk: chatPartition(owner, chatId), index: 'gsi1' }))),
    async silentFor(ms) {
      const tasks = (await everyShard()).map((row) => Task.parse(row));
      return tasks.filter(({ beatAt }) => now() - beatAt > ms);
    },
    async claim({ taskId, beatAt }) {
      const isSilent = when('#beatAt = :beatAt', { beatAt });
      return (await change(table.delete(keyOf(taskId), isSilent))) !== undefined;
    },
    all: async () => read(await everyShard()),
    async stop(taskId, owner) {
      if (!isTaskId(taskId)) return false;
      const condition = owner === undefined ? present : when('#owner = :owner', { owner });
      return (await change(table.update(keyOf(taskId), { set: { isStopped: true } }, condition))) !== undefined;
    },
  };
}

async function everyShard(): Promise<Row[]> {
  const shards = await Promise.all(SHARDS.map((shard) => Array.fromAsync(table.walk({ pk: `TASKS#${shard}` }))));
  return shards.flat();
}

const isTaskId = (taskId: string) => /^[\da-f-]{36}$/.test(taskId);

const change = (update: Promise<Row | undefined>) =>
  update.catch((error: unknown) => {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  });
