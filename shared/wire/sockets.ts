import net, { type LookupFunction } from 'node:net';
import tls from 'node:tls';

export interface SocketOptions {
  readonly lookup?: LookupFunction;
  readonly rejectUnauthorized?: boolean;
}

/** Opens sockets to one origin; over TLS each resumes the session of the one before. */
export function openerFor(url: URL, { lookup, rejectUnauthorized = true }: SocketOptions = {}): () => net.Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const where = { host, port: Number(url.port) || (isSecure ? 443 : 80), ...(lookup && { lookup }) };
  if (!isSecure) return () => net.connect(where);
  const servername = net.isIP(host) === 0 ? host : '';
  let session: Buffer | undefined;
  return () => {
    const secure = { servername, rejectUnauthorized, ALPNProtocols: ['http/1.1'], ...(session && { session }) };
    const socket = tls.connect({ ...where, ...secure });
    socket.on('session', (given) => (session = given));
    return socket;
  };
}
