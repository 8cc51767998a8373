import net, { type LookupFunction } from 'node:net';
import tls from 'node:tls';

export interface SocketOptions {
  readonly lookup?: LookupFunction;
  readonly rejectUnauthorized?: boolean;
}

/** Opens a socket whose bytes go to the given function; they are the receiver's to keep. */
export type Open = (receive: (bytes: Buffer) => void) => net.Socket;

/** Opens sockets to one origin; over TLS each resumes the session of the one before. */
export function openerFor(url: URL, { lookup, rejectUnauthorized = true }: SocketOptions = {}): Open {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const where = { host, port: Number(url.port) || (isSecure ? 443 : 80), ...(lookup && { lookup }) };
  if (!isSecure) return (receive) => net.connect({ ...where, onread: readInto(receive) });
  const servername = net.isIP(host) === 0 ? host : '';
  let session: Buffer | undefined;
  return (receive) => {
    const secure = { servername, rejectUnauthorized, ALPNProtocols: ['http/1.1'], ...(session && { session }) };
    const socket = tls.connect({ ...where, ...secure });
    socket.on('session', (given) => (session = given));
    return socket.on('data', receive);
  };
}

/** Every read ends in a call, so all sockets can share this. */
const LANDING = Buffer.allocUnsafeSlow(64 * 1024);

/** A token is a few hundred bytes: copying them is cheaper than the 64 KB and the stream that Node would set up for each. */
const readInto = (receive: (bytes: Buffer) => void) => ({
  buffer: LANDING,
  callback(size: number) {
    receive(Buffer.from(LANDING.subarray(0, size)));
    return true;
  },
});
