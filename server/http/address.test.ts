import { addressGroup, trustFunction, unwrapAddress } from './address';

test('IPv4 inside IPv6 is IPv4, zones are dropped', () => {
  expect(['::ffff:203.0.113.9', '::FFFF:203.0.113.9', 'fe80::1%eth0', '203.0.113.9', '2001:db8::1'].map(unwrapAddress)).toEqual([
    '203.0.113.9',
    '203.0.113.9',
    'fe80::1',
    '203.0.113.9',
    '2001:db8::1',
  ]);
});

test('proxies are trusted by address and by range, in both families, and nothing else is', () => {
  const trusted = trustFunction(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'loopback']);
  expect(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:9::1', '127.0.0.1', '::1'].map(trusted)).toEqual(Array(6).fill(true));
  expect(['11.0.0.1', '192.0.2.2', '2001:db9::1', 'unknown', ''].map(trusted)).toEqual(Array(5).fill(false));
  expect(trustFunction([])('127.0.0.1')).toBe(false);
  expect(() => trustFunction(['proxy.example'])).toThrow(/TRUSTED_PROXIES/);
});

test('limits count an IPv6 customer by the /64 however the address is written', () => {
  const same = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002:0000::9', '2001:db8:1:2:3:4:5:6'];
  expect(new Set(same.map(addressGroup))).toEqual(new Set(['2001:db8:1:2::/64']));
  expect(['::1', '2001:db8::1', '1:2:3::', '203.0.113.9'].map(addressGroup)).toEqual(['0:0:0:0::/64', '2001:db8:0:0::/64', '1:2:3:0::/64', '203.0.113.9']);
});
