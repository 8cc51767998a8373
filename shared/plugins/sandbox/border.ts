import type { MessagePort } from 'node:worker_threads';

export interface Flowing {
  readonly gauge: Int32Array<SharedArrayBuffer>;
  readonly flow: { readonly message: number; readonly underWay: number; readonly longest: number };
}

export interface Border {
  /** False for what cannot pass. Never throws: an error of this realm would be a way out for the plugin. */
  readonly send: (text: unknown) => boolean;
  readonly read: (text: string) => string;
}

/** The worker's end of the flow. Self-contained like the warden, whose argument it is. */
export function border(port: MessagePort, { gauge, flow }: Flowing): Border {
  const { add, load, sub, wait } = Atomics;
  const { max } = Math;
  let { longest } = flow;
  return {
    send(text) {
      if (typeof text !== 'string' || text.length > longest) return false;
      add(gauge, 0, flow.message + text.length);
      port.postMessage(text);
      for (let said = load(gauge, 0); said > flow.underWay; said = load(gauge, 0)) wait(gauge, 0, said);
      return true;
    },
    read(text) {
      sub(gauge, 1, text.length);
      longest = max(longest, 2 * text.length);
      return text;
    },
  };
}
