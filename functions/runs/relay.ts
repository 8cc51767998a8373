import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toTableStreamHandler, type StreamRecord } from '../../shared/lambda/jobs.ts';
import { WorkRow } from '../../shared/workflow/run-record.ts';
import { enqueueRuns, type RunPointer } from './queue.ts';

/** A run that was started, answered or cancelled is put into the queue: whatever dies in between, the stream remembers. */
export const handler = toTableStreamHandler(async (records) => {
  const pointers = new Map(records.flatMap(pointerIn).map((pointer) => [JSON.stringify(pointer), pointer]));
  await enqueueRuns([...pointers.values()]);
});

function pointerIn({ dynamodb }: StreamRecord): RunPointer[] {
  const image = dynamodb?.NewImage;
  if (image?.['sk']?.S !== 'WORK' || image['wake']?.BOOL !== true) return [];
  const { tenant, run_id } = WorkRow.parse(unmarshall(image as Record<string, AttributeValue>));
  return [{ tenant, run_id }];
}
