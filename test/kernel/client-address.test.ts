import { expect, test } from 'vitest';
import { clientAddress } from '../../shared/http/client-address.ts';

test.each([
  ['no trusted hop: the peer, whatever the header says', '10.0.0.1', '6.6.6.6', 0, '10.0.0.1'],
  ['one hop: the address it saw', '10.0.0.1', '1.2.3.4', 1, '1.2.3.4'],
  ['one hop: what the client wrote before it is ignored', '10.0.0.1', '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
  ['a gateway that appends its own peer too', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.1', 1, '1.2.3.4'],
  ['two hops', '10.0.0.1', '6.6.6.6, 1.2.3.4, 5.6.7.8', 2, '1.2.3.4'],
  ['no header: the peer', '10.0.0.1', null, 1, '10.0.0.1'],
  ['an empty header: the peer', '10.0.0.1', '', 1, '10.0.0.1'],
] as const)('%s', (...[, peer, header, hops, expected]) => {
  expect(clientAddress(peer, header, hops)).toBe(expected);
});
