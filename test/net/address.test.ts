import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../shared/net/address.ts';
import { createGuard } from '../../shared/net/guard.ts';

const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1'];
const PUBLIC_V6 = ['2606:4700:4700::1111', '2a00:1450:4001::200e', '2400:cb00::1'];

const REFUSED = [
  ['this network', '0.0.0.0'],
  ['this network, last', '0.255.255.255'],
  ['private 10', '10.0.0.1'],
  ['carrier shared, first', '100.64.0.1'],
  ['carrier shared, last', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback, last', '127.255.255.254'],
  ['metadata', '169.254.169.254'],
  ['task metadata', '169.254.170.2'],
  ['private 172, first', '172.16.0.1'],
  ['private 172, last', '172.31.255.255'],
  ['protocol assignments', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['6to4 relay', '192.88.99.1'],
  ['private 192', '192.168.1.1'],
  ['benchmark', '198.19.255.255'],
  ['documentation 2', '198.51.100.7'],
  ['documentation 3', '203.0.113.9'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv6 loopback, long', '0:0:0:0:0:0:0:1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback, hex', '::ffff:7f00:1'],
  ['mapped public', '::ffff:8.8.8.8'],
  ['compatible loopback', '::127.0.0.1'],
  ['translated metadata', '::ffff:0:169.254.169.254'],
  ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4 of a private address', '2002:0a00:0001::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['documentation v6', '2001:db8::1'],
  ['documentation v6, new', '3fff::1'],
  ['unique local', 'fd00:ec2::254'],
  ['unique local, other half', 'fc00::1'],
  ['link local', 'fe80::1'],
  ['link local with zone', 'fe80::1%eth0'],
  ['site local', 'fec0::1'],
  ['multicast v6', 'ff02::1'],
  ['discard', '100::1'],
  ['not an address', 'localhost'],
  ['empty', ''],
] as const;

describe('which addresses may be reached', () => {
  test.each([...PUBLIC, ...PUBLIC_V6])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
  test.each(REFUSED)('%s is refused', (_, address) => expect(isPublicAddress(address)).toBe(false));
});

describe('addresses written in disguise', () => {
  const guard = createGuard([], () => Promise.resolve([]));
  test.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0/',
    'http://127.0.0.1./',
    'http://[::ffff:127.0.0.1]/',
    'http://[::1]:8080/',
    'http://１２７.0.0.1/',
    'http://169.254.169.254:80/latest/meta-data/',
  ])('%s is refused', (address) => {
    expect(() => guard.demandAllowed(new URL(address))).toThrow('not a public address');
  });

  test('an operator may allow a name, an address or a range', () => {
    const open = createGuard(['10.1.2.3', 'fd00::/8', '192.168.0.0/16'], () => Promise.resolve([]));
    for (const host of ['10.1.2.3', '[fd12::1]', '192.168.9.9']) {
      expect(() => open.demandAllowed(new URL(`http://${host}/`))).not.toThrow();
    }
    expect(() => open.demandAllowed(new URL('http://10.1.2.4/'))).toThrow('not a public address');
  });
});
