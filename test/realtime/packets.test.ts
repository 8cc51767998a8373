import * as fc from 'fast-check';
import { Decoder, Encoder, PacketType } from 'socket.io-parser';
import { describe, expect, test } from 'vitest';
import { ackPacket, connected, decodePacket, eventPacket, openPacket, refused } from '../../shared/realtime/packets.ts';

/** Ours against the client's own encoder and decoder. */
const encode = (packet: object) => `4${new Encoder().encode({ nsp: '/', ...packet } as never)[0]}`;

function decode(text: string): unknown {
  let decoded: unknown;
  const decoder = new Decoder();
  decoder.on('decoded', (packet) => (decoded = packet));
  decoder.add(text.slice(1));
  return decoded;
}

const json = fc.jsonValue();
const id = fc.integer({ min: 0, max: 2 ** 47 });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the wire format', () => {
  test('reads whatever the client writes', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(json), fc.option(id, { nil: undefined }), (name, args, ack) => {
        const packet = decodePacket(encode({ type: PacketType.EVENT, data: [name, ...args], id: ack }));
        expect(packet).toEqual({ kind: 'event', id: ack, name, args: plain(args) });
      }),
    );
    fc.assert(
      fc.property(json, id, (value, ack) => {
        const packet = decodePacket(encode({ type: PacketType.ACK, data: [value], id: ack }));
        expect(packet).toEqual({ kind: 'ack', id: ack, value: plain(value) });
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.constantFrom('/', '/admin'), (auth, namespace) => {
        const packet = decodePacket(encode({ type: PacketType.CONNECT, data: auth, nsp: namespace }));
        expect(packet).toEqual({ kind: 'connect', namespace, auth: plain(auth) });
      }),
    );
  });

  test('is read by the client as it was meant', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.option(id, { nil: undefined }), (payload, ack) => {
        const packet = decode(eventPacket('events', JSON.stringify(payload), ack));
        expect(packet).toMatchObject({ type: PacketType.EVENT, nsp: '/', data: ['events', plain(payload)] });
        expect((packet as { id?: number }).id).toBe(ack);
      }),
    );
    expect(decode(ackPacket(5, [{ id: 'u' }]))).toMatchObject({ type: PacketType.ACK, id: 5, data: [{ id: 'u' }] });
    expect(decode(connected('s'))).toMatchObject({ type: PacketType.CONNECT, data: { sid: 's' } });
    expect(decode(refused('/x', 'no'))).toMatchObject({
      type: PacketType.CONNECT_ERROR,
      nsp: '/x',
      data: { message: 'no' },
    });
  });

  test('opens with everything a client wants to know', () => {
    const opening = { sid: 's', pingInterval: 1, pingTimeout: 2, maxPayload: 3 };
    expect(JSON.parse(openPacket(opening).slice(1))).toEqual({ ...opening, upgrades: [] });
  });

  test.each([
    ['2', { kind: 'ping', data: '' }],
    ['2probe', { kind: 'ping', data: 'probe' }],
    ['3', { kind: 'nothing' }],
    ['1', { kind: 'nothing' }],
    ['40', { kind: 'connect', namespace: '/', auth: undefined }],
    ['41', { kind: 'disconnect' }],
    ['41/admin,', { kind: 'nothing' }],
    ['42', { kind: 'nothing' }],
    ['42{}', { kind: 'nothing' }],
    ['42[5]', { kind: 'nothing' }],
    ['42["a"', { kind: 'nothing' }],
    ['43[1]', { kind: 'nothing' }],
    ['461-7[{"_placeholder":true,"num":0}]', { kind: 'binary-ack', id: 7 }],
    ['', { kind: 'nothing' }],
    ['hello', { kind: 'nothing' }],
  ])('takes %j for what it is', (text, packet) => {
    expect(decodePacket(text)).toEqual(packet);
  });
});
