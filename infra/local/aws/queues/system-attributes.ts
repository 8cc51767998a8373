import type { ReceivedMessage } from './receive.ts';

/** What SQS itself knows about a received message, all as text. */
export const systemAttributes = (message: ReceivedMessage) => ({
  ApproximateReceiveCount: String(message.receives),
  SentTimestamp: String(message.sent_at),
  SenderId: 'AIDALOCALHOST',
  ApproximateFirstReceiveTimestamp: String(message.first_received_at),
  ...(message.trace !== null && { AWSTraceHeader: message.trace }),
  ...(message.group_id !== null && { MessageGroupId: message.group_id }),
  ...(message.source !== null && { DeadLetterQueueSourceArn: message.source }),
});
