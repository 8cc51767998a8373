import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * May a request to this address leave the house? Everything private, local, reserved or translated says no.
 * An IPv6 address that carries an IPv4 one is refused as a whole: what it reaches depends on the network.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** `10.0.0.0/8`, `127.0.0.1` or `fd00::/8`; undefined for anything that is not an address or a range of them. */
export function rangeOf(text: string): BlockList | undefined {
  const [network = '', bits] = text.split('/');
  const family = isIPv4(network) ? 'ipv4' : isIPv6(network) ? 'ipv6' : undefined;
  if (!family) return undefined;
  const range = new BlockList();
  if (bits === undefined) range.addAddress(network, family);
  else range.addSubnet(network, Number(bits), family);
  return range;
}

export const isInside = (range: BlockList, address: string) => range.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

const listOf = (subnets: readonly string[]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
};

/** IANA gives out only this part of IPv6; loopback, link-local, unique-local, mapped and NAT64 lie outside it. */
const globalUnicast = listOf(['2000::/3']);

const notPublic = listOf([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]);
