import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import { attributesMd5, md5, type MessageAttributes } from '../queues/digest.ts';
import type { ReceivedMessage } from '../queues/receive.ts';
import { systemAttributes } from '../queues/system-attributes.ts';

/** The event Lambda builds from a batch of messages. */
export const queueEvent = (queueArn: string, messages: readonly ReceivedMessage[]): SQSEvent => ({
  Records: messages.map((message) => recordOf(queueArn, message)),
});

const recordOf = (queueArn: string, message: ReceivedMessage): SQSRecord => ({
  messageId: message.id,
  receiptHandle: message.receipt,
  body: message.body,
  attributes: systemAttributes(message),
  messageAttributes: attributesOf(message.attributes),
  md5OfBody: md5(message.body),
  md5OfMessageAttributes: attributesMd5(message.attributes),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: queueArn.split(':')[3] ?? '',
});

const attributesOf = (attributes: MessageAttributes): SQSMessageAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType,
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
      },
    ]),
  );
