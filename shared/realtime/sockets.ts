import { AwsError } from '../aws/client.ts';
import type { CallRest } from '../aws/json.ts';
import { openSockets } from '../aws/services.ts';

let client: CallRest | undefined;
const sockets = () => (client ??= openSockets());
const pathOf = (connectionId: string) => `/@connections/${encodeURIComponent(connectionId)}`;

/** False when the connection is gone, or not there yet. */
export const postText = (connectionId: string, text: string) =>
  unlessGone(sockets()('POST', pathOf(connectionId), Buffer.from(text)));

export const closeSocket = (connectionId: string) => unlessGone(sockets()('DELETE', pathOf(connectionId)));

async function unlessGone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.status === 410) return false;
    throw error;
  }
}
