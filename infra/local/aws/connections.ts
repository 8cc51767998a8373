import { AwsFault } from './fault.ts';
import type { PathService } from './wire.ts';

export interface SocketInfo {
  /** Epoch milliseconds. */
  readonly connectedAt: number;
  readonly lastActiveAt: number;
  readonly sourceIp: string;
  readonly userAgent: string;
}

/** The open WebSocket connections, as the front server knows them. */
export interface Sockets {
  /** False when there is no such connection. */
  post(id: string, data: Uint8Array): boolean | Promise<boolean>;
  get(id: string): SocketInfo | undefined;
  /** False when there was none. */
  close(id: string): boolean | Promise<boolean>;
}

const MAX_PAYLOAD = 128 * 1024;
/** The endpoint may carry a stage in front. */
const CONNECTION = /\/@connections\/([^/]+)$/;

/** API Gateway's management API for WebSocket connections. */
export const connectionService = (sockets: Sockets): PathService => ({
  invalid: 'BadRequestException',
  routes: [
    {
      method: 'POST',
      path: CONNECTION,
      run: async ([id = ''], { body }) => {
        if (body.length > MAX_PAYLOAD) throw new AwsFault('PayloadTooLargeException', 'Message too long.', 413);
        if (!(await sockets.post(id, body))) throw gone();
      },
    },
    { method: 'GET', path: CONNECTION, run: ([id = '']) => describe(sockets.get(id)) },
    {
      method: 'DELETE',
      path: CONNECTION,
      run: async ([id = '']) => {
        if (!(await sockets.close(id))) throw gone();
      },
    },
  ],
});

function describe(info: SocketInfo | undefined) {
  if (!info) throw gone();
  return {
    connectedAt: new Date(info.connectedAt).toISOString(),
    lastActiveAt: new Date(info.lastActiveAt).toISOString(),
    identity: { sourceIp: info.sourceIp, userAgent: info.userAgent },
  };
}

const gone = () => new AwsFault('GoneException', 'The connection is gone.', 410);
