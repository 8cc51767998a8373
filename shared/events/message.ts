import * as z from 'zod';
import { sqs } from '../aws/services.ts';
import { requiredFromEnvironment } from '../settings/environment.ts';
import { queueVariable } from '../settings/names.ts';

export const DETAIL_TYPE = 'bus_event';

/** What travels: a pointer, never the event. The dispatcher believes only the stored event. */
export const Pointer = z.object({
  tenant: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  /** Somebody asked for it again; such deliveries are new ones under this name. */
  replay: z
    .object({
      id: z.string(),
      /** Only to this tenant's triggers; null is everyone the event is for. */
      tenant: z.string().nullable(),
      subscription_ids: z.array(z.string()).nullable(),
    })
    .optional(),
  /** Where the list of subscriptions goes on, when it is too long for one message. */
  after: z.string().optional(),
  /** Sent again because it had failed or never arrived. */
  again: z.literal(true).optional(),
});
export type Pointer = z.output<typeof Pointer>;

/** The part of EventBridge's envelope that matters here. */
export const DispatchMessage = z.object({ 'detail-type': z.literal(DETAIL_TYPE), detail: Pointer });

/** Puts a pointer straight into the queue, in the bus's envelope: replays, redrives and the sweeper need no fan-out. */
export async function sendToDispatcher(pointer: Pointer): Promise<void> {
  const message: z.input<typeof DispatchMessage> = { 'detail-type': DETAIL_TYPE, detail: pointer };
  const QueueUrl = requiredFromEnvironment(queueVariable('dispatch'));
  await sqs('SendMessage', { QueueUrl, MessageBody: JSON.stringify(message) });
}
