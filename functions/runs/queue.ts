import * as z from 'zod';
import { sqs } from '../../shared/aws/services.ts';
import { requiredFromEnvironment } from '../../shared/settings/environment.ts';
import { queueVariable } from '../../shared/settings/names.ts';

/** What travels: where the run is, nothing of it. */
export const RunPointer = z.object({ tenant: z.string(), run_id: z.string() });
export type RunPointer = z.output<typeof RunPointer>;

const queueUrl = () => requiredFromEnvironment(queueVariable('runs'));

/** SQS delays no longer than this; what is due later is found by the sweeper. */
const LONGEST_DELAY_S = 900;

export async function enqueueRun(pointer: RunPointer, delayMs: number): Promise<void> {
  const DelaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
  if (DelaySeconds > LONGEST_DELAY_S) return;
  await sqs('SendMessage', { QueueUrl: queueUrl(), MessageBody: JSON.stringify(pointer), DelaySeconds });
}

const PER_CALL = 10;

export async function enqueueRuns(pointers: readonly RunPointer[]): Promise<void> {
  for (let at = 0; at < pointers.length; at += PER_CALL) {
    const Entries = pointers
      .slice(at, at + PER_CALL)
      .map((pointer, index) => ({ Id: String(index), MessageBody: JSON.stringify(pointer) }));
    const { Failed = [] } = await sqs<{ Failed?: { Code: string }[] }>('SendMessageBatch', {
      QueueUrl: queueUrl(),
      Entries,
    });
    if (Failed.length > 0) throw new Error(`${Failed.length} runs were not queued: ${Failed[0]?.Code}`);
  }
}
