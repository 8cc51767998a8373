import type { AttributeValue } from 'aws-lambda';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { eventBridge } from '../../shared/aws/services.ts';
import { DETAIL_TYPE } from '../../shared/events/message.ts';
import { toTableStreamHandler, type StreamRecord } from '../../shared/lambda/jobs.ts';
import { requiredFromEnvironment } from '../../shared/settings/environment.ts';
import { EVENT_BUS } from '../../shared/settings/names.ts';

/** New events go onto the bus as pointers. The row itself is the outbox: what is stored is published, sooner or later. */
export const handler = toTableStreamHandler(async (records) => {
  const pointers = records.flatMap(pointerOf);
  for (let at = 0; at < pointers.length; at += PER_CALL) await publish(pointers.slice(at, at + PER_CALL));
});

const PER_CALL = 10;
const SOURCE = 'atrium.events';

const Inserted = z.object({ pk: z.string(), tenant: z.string(), event_id: z.string(), event_type: z.string() });
type Inserted = z.output<typeof Inserted>;

/** Events only: the table also holds the names of event types. */
function pointerOf({ eventName, dynamodb }: StreamRecord): Inserted[] {
  const image = dynamodb?.NewImage;
  if (eventName !== 'INSERT' || !image?.['pk']?.S?.startsWith('EVENT#')) return [];
  const { pk, tenant, event_id, event_type } = image;
  return [Inserted.parse(unmarshall(defined({ pk, tenant, event_id, event_type })))];
}

const defined = (fields: Record<string, AttributeValue | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Parameters<
    typeof unmarshall
  >[0];

/** One refused entry fails the batch, and the stream delivers it again; the dispatcher knows what it has seen. */
async function publish(pointers: readonly Inserted[]) {
  const EventBusName = requiredFromEnvironment(EVENT_BUS);
  const { FailedEntryCount, Entries } = await eventBridge<PutEventsAnswer>('PutEvents', {
    Entries: pointers.map(({ tenant, event_id, event_type }) => ({
      EventBusName,
      Source: SOURCE,
      DetailType: DETAIL_TYPE,
      Detail: JSON.stringify({ tenant, event_id, event_type }),
    })),
  });
  if (!FailedEntryCount) return;
  const reasons = new Set(Entries?.flatMap(({ ErrorCode }) => ErrorCode ?? []));
  throw new Error(`The bus refused ${FailedEntryCount} of ${pointers.length} events: ${[...reasons].join(', ')}`);
}

interface PutEventsAnswer {
  readonly FailedEntryCount?: number;
  readonly Entries?: readonly { readonly ErrorCode?: string }[];
}
