import * as z from 'zod';
import type { RoutedEvent } from './event.ts';

/** A frame of the gateway ends at 32 KB; the rest is for what the wire format puts around an event. */
export const LARGEST_EVENT = 31 * 1024;

export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const CONTINUED_AS: Readonly<Record<string, string>> = {
  message: 'message',
  'chat:message:delta': 'chat:message:delta',
  replace: 'message',
  'chat:message': 'chat:message:delta',
};

/**
 * Text is told in several events of the kind every client knows: the first as it is, the rest appended. Undefined for
 * everything else, which has no such sequel.
 */
export function splitEvent(event: RoutedEvent): readonly RoutedEvent[] | undefined {
  const { type, data } = event.data;
  const sequel = CONTINUED_AS[type];
  const { content, ...rest } = Content.safeParse(data).data ?? {};
  const room = LARGEST_EVENT - bytesOf({ ...event, data: { type: sequel, data: { ...rest, content: '' } } });
  if (sequel === undefined || content === undefined || room < LEAST_ROOM) return undefined;
  return cutText(content, room).map((piece, i) => ({
    ...event,
    data: i === 0 ? { type, data: { ...rest, content: piece } } : { type: sequel, data: { content: piece } },
  }));
}

const Content = z.looseObject({ content: z.string() });
/** With less than this beside the other fields, text would be told letter by letter. */
const LEAST_ROOM = 1024;

/** Halves until each piece fits as JSON, never between the two halves of a character. */
function cutText(text: string, room: number): string[] {
  if (text.length <= 1 || bytesOf(text) <= room) return [text];
  const middle = Math.floor(text.length / 2);
  const at = isLowSurrogate(text, middle) ? middle + 1 : middle;
  if (at === text.length) return [text];
  return [...cutText(text.slice(0, at), room), ...cutText(text.slice(at), room)];
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
