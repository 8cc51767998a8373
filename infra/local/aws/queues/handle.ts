import type { QueueRecord } from './registry.ts';
import type { Queues } from './queues.ts';
import type { ReceivedMessage, ReceiveOptions } from './receive.ts';
import type { OutgoingMessage } from './send.ts';

/** One queue, for consumers in this process. */
export interface QueueHandle extends Pick<QueueRecord, 'name' | 'arn' | 'url'> {
  send(message: OutgoingMessage): string;
  receive(options: ReceiveOptions): Promise<readonly ReceivedMessage[]>;
  delete(receipt: string): void;
}

/** Throws when there is no such queue. */
export function openQueue(queues: Queues, reference: string): QueueHandle {
  const { name, arn, url } = queues.registry.get(reference);
  return {
    name,
    arn,
    url,
    send: (message) => queues.send(name, message),
    receive: (options) => queues.receive(name, options),
    delete: (receipt) => queues.delete(name, receipt),
  };
}
