import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type BlockList, type LookupFunction } from 'node:net';
import { AppError } from '../errors.ts';
import { isInside, isPublicAddress, rangeOf } from './address.ts';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** Decides where outbound requests may go. The address that was judged is the address that is connected to. */
export interface Guard {
  /** Throws for what can be told from the address line alone. */
  demandAllowed(url: URL): void;
  /** The socket's own look-up: it sees only addresses that were judged, so no second answer can slip in. */
  readonly lookup: LookupFunction;
}

export const systemResolve: Resolve = (host) => systemLookup(host, { all: true });

export function createGuard(allowedHosts: readonly string[], resolve: Resolve): Guard {
  const names = new Set(allowedHosts.map(plainName));
  const ranges = allowedHosts.flatMap((entry): BlockList[] => [rangeOf(entry) ?? []].flat());
  const isAllowed = (address: string) => isPublicAddress(address) || ranges.some((range) => isInside(range, address));
  const judge = async (host: string) => {
    const found = await resolve(host);
    const kept = names.has(plainName(host)) ? found : found.filter(({ address }) => isAllowed(address));
    if (found.length > 0 && kept.length === 0) throw refused(host);
    return kept;
  };
  return {
    demandAllowed(url) {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0 && !names.has(host) && !isAllowed(host)) throw refused(host);
    },
    lookup(host, options, callback) {
      judge(host).then(
        (addresses) => {
          const [first] = addresses;
          if (!first) return callback(noAddress(host), '');
          if (options.all) return callback(null, addresses);
          return callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
    },
  };
}

/** Names are compared as DNS does: without case and without the final dot. */
const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

const refused = (host: string) =>
  new AppError('address_refused', `${host} is not a public address; an operator may allow it by name`);

const noAddress = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
