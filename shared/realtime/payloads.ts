import { newId } from '../ids.ts';
import { toSeconds, type Millis } from '../time.ts';
import { payloadPartition, realtime } from './connection.ts';
import { RoutedEvent } from './event.ts';

/** A part may end within a character, so it is stored as base64: a third larger. */
const PART_BYTES = 240 * 1024;
const KEPT_SECONDS = 60 * 60;

export const payloadAddress = (payloadId: string) => `/api/v1/realtime/payloads/${payloadId}`;

/** Sets aside what no socket message can carry, for an hour. Only its user can name it. */
export async function keepPayload(userId: string, json: string, now: Millis): Promise<string> {
  const payloadId = newId();
  const pk = payloadPartition(userId, payloadId);
  const bytes = Buffer.from(json);
  const ttl = toSeconds(now) + KEPT_SECONDS;
  const count = Math.ceil(bytes.length / PART_BYTES);
  await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const part = bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES).toString('base64');
      return realtime.put({ pk, sk: String(i).padStart(3, '0'), part, count, ttl });
    }),
  );
  return payloadId;
}

/** Undefined when it was never there, is someone else's, or its hour is over. */
export async function readPayload(userId: string, payloadId: string, now: Millis): Promise<RoutedEvent | undefined> {
  const rows = await Array.fromAsync(realtime.walk({ pk: payloadPartition(userId, payloadId) }));
  const parts = rows.map(({ part }) => Buffer.from(String(part), 'base64'));
  const [first] = rows;
  if (!first || parts.length !== first['count'] || Number(first['ttl']) <= toSeconds(now)) return undefined;
  return RoutedEvent.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
}
