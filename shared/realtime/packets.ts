/**
 * The Socket.IO v4 wire format over one WebSocket: an Engine.IO digit (0 open, 1 close, 2 ping, 3 pong, 4 message), and
 * inside a message a Socket.IO digit (0 connect, 1 disconnect, 2 event, 3 ack, 4 refusal, 5 and 6 with binary parts),
 * a namespace unless it is `/`, an id when an answer is wanted or given, and JSON.
 */
export type Packet =
  | { readonly kind: 'ping'; readonly data: string }
  | { readonly kind: 'connect'; readonly namespace: string; readonly auth: unknown }
  | { readonly kind: 'disconnect' }
  | {
      readonly kind: 'event';
      readonly id: number | undefined;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'ack'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'binary-ack'; readonly id: number }
  /** Pongs, farewells, and what is not for us. */
  | { readonly kind: 'nothing' };

const NOTHING: Packet = { kind: 'nothing' };
const MESSAGE = /^4([0-6])(?:\d+-)?(?:(\/[^,]*),?)?(\d{1,15})?/;

export function decodePacket(text: string): Packet {
  if (text.startsWith('2')) return { kind: 'ping', data: text.slice(1) };
  const [head, type, namespace = '/', digits] = MESSAGE.exec(text) ?? [];
  if (head === undefined) return NOTHING;
  const id = digits === undefined ? undefined : Number(digits);
  const body = parse(text.slice(head.length));
  if (type === '0') return { kind: 'connect', namespace, auth: body };
  if (namespace !== '/') return NOTHING;
  if (type === '1') return { kind: 'disconnect' };
  if (type === '6' && id !== undefined) return { kind: 'binary-ack', id };
  if (!Array.isArray(body)) return NOTHING;
  const [first, ...rest] = body as readonly unknown[];
  if (type === '3' && id !== undefined) return { kind: 'ack', id, value: first };
  return type === '2' && typeof first === 'string' ? { kind: 'event', id, name: first, args: rest } : NOTHING;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Opening {
  readonly sid: string;
  readonly pingInterval: number;
  readonly pingTimeout: number;
  readonly maxPayload: number;
}

export const PING = '2';
export const pong = (data: string) => `3${data}`;
export const openPacket = (opening: Opening) => `0${JSON.stringify({ ...opening, upgrades: [] })}`;
export const connected = (sid: string) => `40${JSON.stringify({ sid })}`;
export const refused = (namespace: string, message: string) => `44${namespace},${JSON.stringify({ message })}`;
export const ackPacket = (id: number, args: readonly unknown[]) => `43${id}${JSON.stringify(args)}`;

/** The argument comes as JSON already, because the same one goes to every tab. */
export const eventPacket = (name: string, json: string, id?: number) =>
  `42${id ?? ''}[${JSON.stringify(name)},${json}]`;
