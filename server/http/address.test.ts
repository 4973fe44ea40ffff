import { addressGroup, addressMatcher, isAddressRange, trustFunction, unwrapAddress } from './address';

test('IPv4 inside IPv6 is treated as IPv4 and zones are removed', () => {
  expect(['::ffff:203.0.113.9', '::FFFF:203.0.113.9', 'fe80::1%eth0', '203.0.113.9', '2001:db8::1'].map(unwrapAddress)).toEqual([
    '203.0.113.9',
    '203.0.113.9',
    'fe80::1',
    '203.0.113.9',
    '2001:db8::1',
  ]);
});

test('only listed addresses and ranges are trusted as proxies', () => {
  const trusted = trustFunction(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'loopback']);
  expect(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:9::1', '127.0.0.1', '::1'].map(trusted)).toEqual(Array(6).fill(true));
  expect(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'unknown', ''].map(trusted)).toEqual(Array(5).fill(false));
  expect(trustFunction([])('127.0.0.1')).toBe(false);
  expect(() => trustFunction(['proxy.example'])).toThrow(/TRUSTED_PROXIES/);
});

test('limits count an IPv6 client by its /64, however written', () => {
  const same = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002:0000::9', '2001:db8:1:2:3:4:5:6'];
  expect(new Set(same.map(addressGroup))).toEqual(new Set(['2001:db8:1:2::/64']));
  expect(['::1', '2001:db8::1', '1:2:3::', '203.0.113.9'].map(addressGroup)).toEqual(['0:0:0:0::/64', '2001:db8:0:0::/64', '1:2:3:0::/64', '203.0.113.9']);
});

test('ranges accept addresses and prefixes of both families and nothing else', () => {
  const good = ['203.0.113.9', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::/32', '::/0', '::ffff:10.0.0.0/104', '::ffff:203.0.113.9'];
  expect(good.filter((text) => !isAddressRange(text))).toEqual([]);
  const bad = [
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/95',
    '1.2.3.4 ',
    '10.0.0.0/8e1',
    'localhost',
  ];
  expect(bad.filter(isAddressRange)).toEqual([]);
  const inside = addressMatcher(['::ffff:10.0.0.0/104', '2001:db8::/32', 'not a range']);
  expect(['10.255.0.1', '::ffff:10.1.2.3', '2001:db8:ffff::1'].map(inside)).toEqual([true, true, true]);
  expect(['11.0.0.1', '2001:db9::1', '', 'not a range'].map(inside)).toEqual([false, false, false, false]);
  expect(addressMatcher([])('10.0.0.1')).toBe(false);
});
