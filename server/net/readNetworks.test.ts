import fc from 'fast-check';
import { networkFinder } from './networks';
import { addressesIn, networkText, readNetworks } from './readNetworks';

const read = (text: string): string => readNetworks(text, 10).networks.map(networkText).join(' ');

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['203.0.113.0/25\n203.0.113.128/25', '203.0.113.0/24'],
  ['203.0.113.0/24\n203.0.113.9', '203.0.113.0/24'],
  ['203.0.113.1, 203.0.113.2; 203.0.113.3', '203.0.113.1 203.0.113.2/31'],
  ['# office\n203.0.113.7 # Anna\n\n', '203.0.113.7'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8:0:0::/64\r\n2001:db8:0:1::/64', '2001:db8::/63'],
  ['2001:db8:1:2:3:4:5:6/48', '2001:db8:1::/48'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
  ['0.0.0.0/1\n128.0.0.0/1', '0.0.0.0/1 128.0.0.0/1'],
  ['255.255.255.255', '255.255.255.255'],
  ['', ''],
])('%j is read as %j', (text, networks) => {
  expect(read(text)).toBe(networks);
});

test.each([
  ['example.com', 'not_an_address_range'],
  ['203.0.113', 'not_an_address_range'],
  ['203.0.113.256', 'not_an_address_range'],
  ['203.0.113.7/', 'not_an_address_range'],
  ['1:2:3', 'not_an_address_range'],
  ['203.0.113.7/33', 'out_of_range'],
  ['::1/129', 'out_of_range'],
  ['0.0.0.0/0', 'out_of_range'],
  ['::/0', 'out_of_range'],
  ['::ffff:0:0/96', 'out_of_range'],
] as const)('%j is refused: %s', (text, reason) => {
  expect(readNetworks(`203.0.113.7\n${text}`, 10).refused).toEqual([{ line: 2, text, reason }]);
});

test('only the first refused lines are listed, and all are counted', () => {
  const { refused, refusedCount, lines } = readNetworks('a\n'.repeat(50), 10);
  expect([refused.length, refusedCount, lines]).toEqual([10, 50, 50]);
});

test('100 000 neighbouring addresses become few networks', () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `10.${String(at >> 16)}.${String((at >> 8) & 255)}.${String(at & 255)}`).join('\n');
  expect(read(text)).toBe('10.0.0.0/16 10.1.0.0/17 10.1.128.0/22 10.1.132.0/23 10.1.134.0/25 10.1.134.128/27');
});

test('four megabytes of addresses are read', () => {
  const distinct = Array.from({ length: 300_000 }, (_, at) => `${(at >> 16).toString(16)}:${(at & 65_535).toString(16)}::5`).join('\n');
  expect(readNetworks('::1,'.repeat(1_000_000), 10, 10).networks.map(networkText)).toEqual(['::1']);
  expect(readNetworks(distinct, 10, 10).networks).toHaveLength(10);
});

const address = fc.tuple(fc.constantFrom(10, 11), fc.constantFrom(0, 255), fc.nat(3), fc.nat(255)).map((parts) => parts.join('.'));

test('merged networks contain the same addresses as before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(address, fc.integer({ min: 1, max: 32 })), { maxLength: 8 }),
      fc.array(address, { minLength: 1, maxLength: 20 }),
      (list, probes) => {
        const before = networkFinder(list.map(([one, bits]) => ({ address: one, bits, family: 'ipv4' as const })));
        const after = networkFinder(readNetworks(list.map(([one, bits]) => `${one}/${String(bits)}`).join('\n'), 0).networks);
        for (const probe of probes) expect(after(probe, 'ipv4')).toBe(before(probe, 'ipv4'));
      },
    ),
  );
});

test.each([
  ['203.0.113.9', 4, ['203.0.113.9']],
  ['203.0.113.8/30', 4, ['203.0.113.8', '203.0.113.9', '203.0.113.10', '203.0.113.11']],
  ['2001:db8::e/127', 4, ['2001:db8::e', '2001:db8::f']],
  ['203.0.113.8/29', 4, []],
  ['2001:db8::/48', 256, []],
  ['tea', 4, []],
])('%s has at most %d addresses: %j', (network, most, addresses) => {
  expect(addressesIn(network, most)).toEqual(addresses);
});
