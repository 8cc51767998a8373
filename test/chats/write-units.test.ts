import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { NewChat } from '../../shared/chat/input.ts';
import { createChatStore } from '../../shared/chat/store.ts';
import { host } from '../support/host.ts';
import { aChatOf, aLongThread, aQuestion, aTurn, byId } from './a-chat.ts';

test('adding a turn and its reply costs the same write units however long the chat is', async () => {
  const meter = await startMeter(host.endpoints.dynamodb);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = meter.url; // read at the first call, so nothing may call before
  const store = createChatStore();
  const costs: number[] = [];
  for (const length of [10, 1000]) {
    const first = aQuestion('start');
    const messages = [first, ...aLongThread(length, first.id)];
    const { owner, chatId } = await store.create('a-user', NewChat.parse(aChatOf(messages)));
    const parentId = messages.at(-1)?.id ?? '';
    const { question, answer } = aTurn('Next', '', parentId);
    const links = { [parentId]: { childrenIds: [question.id] } };
    const history = { currentId: answer.id, messages: { ...byId([question, answer]), ...links } };
    meter.reset();
    await store.merge({ owner, chatId }, { history });
    const ref = { owner, chatId, messageId: answer.id };
    await store.saveReply(ref, { content: 'A first part' });
    await store.saveReply(ref, { content: 'A first part, and the end', done: true });
    costs.push(meter.units());
  }
  expect(costs[0]).toBeGreaterThan(0);
  expect(costs[1]).toBe(costs[0]);
  expect(costs[1]).toBeLessThanOrEqual(12);
  await meter.stop();
}, 60_000);

/** Stands between the store and the engine, asks for the consumed capacity and adds up that of writes. */
async function startMeter(target: string) {
  let units = 0;
  const relay: (...exchange: Parameters<http.RequestListener>) => Promise<void> = async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const request = JSON.parse(Buffer.concat(chunks).toString()) as object;
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const body = JSON.stringify({ ...request, ReturnConsumedCapacity: 'TOTAL' });
    const answer = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-date': String(incoming.headers['x-amz-date']),
        'x-amz-target': String(incoming.headers['x-amz-target']),
        authorization: String(incoming.headers.authorization),
      },
      body,
    });
    const text = await answer.text();
    if (/Put|Update|Delete|Write/.test(operation)) units += capacityIn(JSON.parse(text));
    outgoing.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
  };
  const server = http.createServer((...exchange) => void relay(...exchange));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    units: () => units,
    reset: () => void (units = 0),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

interface Capacity {
  readonly CapacityUnits?: number;
}

const capacityIn = (answer: { ConsumedCapacity?: Capacity | Capacity[] }) =>
  [answer.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
