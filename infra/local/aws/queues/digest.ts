import { createHash } from 'node:crypto';
import * as z from 'zod';

export const MessageAttribute = z
  .object({
    DataType: z.string().regex(/^(String|Number|Binary)(\..+)?$/),
    StringValue: z.string().optional(),
    /** Base64, as on the wire. */
    BinaryValue: z.string().optional(),
  })
  .refine(({ StringValue, BinaryValue }) => StringValue || BinaryValue, 'A message attribute must have a value');
export type MessageAttribute = z.infer<typeof MessageAttribute>;
export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

export const md5 = (data: string | Uint8Array) => createHash('md5').update(data).digest('hex');

/** SQS's own digest: for every attribute in name order, each part preceded by its length; the value by its kind. */
export function attributesMd5(attributes: MessageAttributes): string | undefined {
  const entries = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return undefined;
  const parts = entries.flatMap(([name, { DataType, StringValue, BinaryValue }]) => [
    ...framed(Buffer.from(name)),
    ...framed(Buffer.from(DataType)),
    Buffer.of(BinaryValue === undefined ? 1 : 2),
    ...framed(valueBytes({ DataType, StringValue, BinaryValue })),
  ]);
  return md5(Buffer.concat(parts));
}

export const messageSize = (body: string, attributes: MessageAttributes) =>
  Object.entries(attributes).reduce(
    (sum, [name, attribute]) =>
      sum + Buffer.byteLength(name) + Buffer.byteLength(attribute.DataType) + valueBytes(attribute).length,
    Buffer.byteLength(body),
  );

const valueBytes = ({ StringValue, BinaryValue }: MessageAttribute) =>
  BinaryValue === undefined ? Buffer.from(StringValue ?? '') : Buffer.from(BinaryValue, 'base64');

function framed(bytes: Buffer) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
