import { BlockList } from 'node:net';
import fc from 'fast-check';
import { networkFinder } from './networks';
import type { Family, Network } from './networks';

const byBlockList = (networks: readonly Network[]): ((address: string, family: Family) => boolean) => {
  const list = new BlockList();
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family);
  return (address, family) => list.check(address, family);
};

// Few distinct values, so that networks overlap, touch and contain the tested addresses.
const byte = fc.oneof(fc.constantFrom(0, 1, 2, 127, 128, 254, 255), fc.nat(255));
const short = fc.tuple(byte, byte, byte, byte).map((parts) => parts.join('.'));
const group = fc.constantFrom('0', '1', 'ffff', '2001', 'db8', '7f00', '64');
const long = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc.tuple(group, group).map((groups) => `::ffff:${groups.join(':')}`),
  short.map((text) => `::ffff:${text}`),
  fc.constantFrom('::', '::1', '2001:db8::1', '::ffff:0:0'),
);
const network: fc.Arbitrary<Network> = fc.oneof(
  fc.record({ address: short, bits: fc.integer({ min: 0, max: 32 }), family: fc.constant('ipv4' as const) }),
  fc.record({ address: long, bits: fc.integer({ min: 0, max: 128 }), family: fc.constant('ipv6' as const) }),
);
const lookupAddress = fc.oneof(
  short.map((address) => ({ address, family: 'ipv4' as const })),
  long.map((address) => ({ address, family: 'ipv6' as const })),
);

describe('networkFinder', () => {
  test('gives the same results as BlockList', () =>
    fc.assert(
      fc.property(fc.array(network, { maxLength: 12 }), fc.array(lookupAddress, { minLength: 1, maxLength: 30 }), (networks, addresses) => {
        const [ours, theirs] = [networkFinder(networks), byBlockList(networks)];
        expect(addresses.map(({ address, family }) => ours(address, family))).toEqual(addresses.map(({ address, family }) => theirs(address, family)));
      }),
      { numRuns: 1500 },
    ));

  test('contains both bounds of a network and excludes the neighbours', () => {
    const within = networkFinder([
      { address: '10.1.2.3', bits: 15, family: 'ipv4' },
      { address: '10.2.0.0', bits: 16, family: 'ipv4' },
      { address: '255.255.255.255', bits: 32, family: 'ipv4' },
    ]);
    const inside = ['10.0.0.0', '10.1.255.255', '10.2.0.0', '10.2.255.255', '255.255.255.255'];
    const outside = ['9.255.255.255', '10.3.0.0', '0.0.0.0', '255.255.255.254'];
    expect([...inside, ...outside].filter((address) => within(address, 'ipv4'))).toEqual(inside);
  });

  test('contains nothing when there are no networks', () => {
    const within = networkFinder([]);
    expect([within('127.0.0.1', 'ipv4'), within('::1', 'ipv6')]).toEqual([false, false]);
  });
});
