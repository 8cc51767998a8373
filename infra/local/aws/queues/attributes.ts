import * as z from 'zod';
import { AwsFault } from '../fault.ts';

const seconds = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .refine((text) => Number(text) >= min && Number(text) <= max, `must be from ${min} to ${max}`);

export const MAX_MESSAGE_BYTES = 1024 * 1024;

/** What a queue may be told; every value is text, as on the wire. Others (`FifoQueue`) have no local counterpart. */
const SETTABLE = {
  VisibilityTimeout: seconds(0, 43_200),
  DelaySeconds: seconds(0, 900),
  ReceiveMessageWaitTimeSeconds: seconds(0, 20),
  MessageRetentionPeriod: seconds(60, 1_209_600),
  MaximumMessageSize: seconds(1024, MAX_MESSAGE_BYTES),
  RedrivePolicy: z.string(),
  RedriveAllowPolicy: z.string(),
  Policy: z.string(),
  KmsMasterKeyId: z.string(),
  KmsDataKeyReusePeriodSeconds: seconds(60, 86_400),
  SqsManagedSseEnabled: z.enum(['true', 'false']),
} as const;

export type QueueAttributes = Readonly<Record<string, string>>;

export const DEFAULT_ATTRIBUTES: QueueAttributes = {
  VisibilityTimeout: '30',
  DelaySeconds: '0',
  ReceiveMessageWaitTimeSeconds: '0',
  MessageRetentionPeriod: '345600',
  MaximumMessageSize: String(MAX_MESSAGE_BYTES),
  SqsManagedSseEnabled: 'true',
};

export function checkAttributes(attributes: QueueAttributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const schema = Object.hasOwn(SETTABLE, name) ? SETTABLE[name as keyof typeof SETTABLE] : undefined;
    if (!schema) throw new AwsFault('InvalidAttributeName', `Unknown Attribute ${name}.`);
    const { error } = schema.safeParse(value);
    if (error) throw invalidAttribute(name, value, error.issues[0]?.message);
  }
}

const invalidAttribute = (name: string, value: string, reason = 'unreadable') =>
  new AwsFault('InvalidAttributeValue', `Invalid value ${value} for the parameter ${name}. Reason: ${reason}.`);

const RedrivePolicy = z.object({
  deadLetterTargetArn: z.string().startsWith('arn:'),
  maxReceiveCount: z.coerce.number().int().min(1).max(1000),
});
export type RedrivePolicy = z.infer<typeof RedrivePolicy>;

export function redrivePolicy(attributes: QueueAttributes): RedrivePolicy | undefined {
  const text = attributes['RedrivePolicy'];
  if (!text) return undefined;
  const policy = z.preprocess(parseJson, RedrivePolicy).safeParse(text);
  if (!policy.success) throw invalidAttribute('RedrivePolicy', text, policy.error.issues[0]?.message);
  return policy.data;
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
