import * as z from 'zod';
import { sqs } from '../../shared/aws/services.ts';
import { Member, Protocol } from '../../shared/realtime/connection.ts';
import { requiredFromEnvironment } from '../../shared/settings/environment.ts';
import { queueVariable } from '../../shared/settings/names.ts';

/**
 * What is to be done for a connection at another moment. A function cannot wait, and the queue can:
 *
 *   open  Socket.IO clients say nothing before the server has, and the gateway takes no message for a connection until the
 *         function that accepts it has answered. So that function leaves the greeting to the queue, whose consumer is
 *         called within milliseconds and tries until the connection is there.
 *   beat  Engine.IO has the server ping. Each beat is a delayed message that sends the ping and then queues the next one:
 *         a timer per connection, without a schedule, a sweep or a list of all connections. It ends with the connection.
 */
export const Later = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    connectionId: z.string(),
    connectedAt: z.number(),
    protocol: Protocol,
    member: Member.optional(),
    /** The name the client gave its session, if any. */
    sessionId: z.string().optional(),
  }),
  z.object({ kind: z.literal('beat'), connectionId: z.string() }),
]);
export type Later = z.output<typeof Later>;

export type DoLater = (message: Later, delaySeconds?: number) => Promise<void>;

export const doLater: DoLater = async (message, delaySeconds = 0) => {
  const QueueUrl = requiredFromEnvironment(queueVariable('realtime'));
  await sqs('SendMessage', { QueueUrl, MessageBody: JSON.stringify(message), DelaySeconds: delaySeconds });
};
