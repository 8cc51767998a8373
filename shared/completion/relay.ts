import { AppError } from '../errors.ts';
import { chatError } from '../llm/model-error.ts';
import type { OutboundResponse } from '../net/response.ts';
import { createLineGate } from './line-gate.ts';
import { asModelError } from './refusal.ts';

export interface Relay {
  /** Takes bytes on towards the caller; what it gives back is the back-pressure. */
  readonly write: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly signal: AbortSignal;
  /** Sees every chunk after it is on its way. */
  readonly tap?: (chunk: Buffer) => void;
  /** Runs before the caller can learn that the answer is over. */
  readonly beforeEnd?: (failure: AppError | undefined) => Promise<void>;
}

/** Passes a chat-completions stream on as it comes: one write per chunk, nothing parsed, nothing printed anew. */
export async function relayStream(response: OutboundResponse, relay: Relay): Promise<void> {
  const gate = createLineGate();
  const failure = await pumpThrough(response, relay, (chunk) => gate.take(chunk));
  await relay.beforeEnd?.(failure);
  const rest = gate.rest();
  if (rest.length > 0) await relay.write(rest);
  if (failure && !gate.hasEnded()) await relay.write(brokenOff(failure));
}

async function pumpThrough(response: OutboundResponse, relay: Relay, take: (chunk: Buffer) => Buffer) {
  try {
    await response.pump((chunk) => {
      const lines = take(chunk);
      const busy = lines.length > 0 ? relay.write(lines) : undefined;
      relay.tap?.(chunk);
      return busy;
    });
    return undefined;
  } catch (error) {
    if (relay.signal.aborted) return undefined;
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The bytes may have stopped inside a line, so the frame begins with an empty one. */
const brokenOff = (failure: AppError) =>
  `\n\ndata: ${JSON.stringify(chatError(asModelError(failure)))}\n\ndata: [DONE]\n\n`;
