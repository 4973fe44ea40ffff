import { isIP } from 'node:net';
import fc from 'fast-check';
import { cities, cityName, countryName, provinceName, provinces } from '../../../contract/places';
import { maskAddress, placeOf, placeTextOf } from './index';
import { caseCounts } from '../../../test/support/caseCounts';

describe('placeOf', () => {
  test.each([
    // China, IPv4
    ['114.114.114.114', 'CN', 'CN-JS', 'Nanjing'],
    ['223.5.5.5', 'CN', 'CN-ZJ', 'Hangzhou'],
    ['202.96.128.86', 'CN', 'CN-GD', 'Guangzhou'],
    ['119.29.29.29', 'CN', 'CN-BJ', 'Beijing'],
    ['61.135.169.121', 'CN', 'CN-BJ', 'Beijing'],
    ['101.226.4.6', 'CN', 'CN-SH', 'Shanghai'],
    ['222.85.85.85', 'CN', 'CN-HA', 'Zhengzhou'],
    ['202.98.192.67', 'CN', 'CN-GZ', 'Guiyang'],
    ['60.255.1.1', 'CN', 'CN-SC', 'Chengdu'],
    ['124.117.1.1', 'CN', 'CN-XJ', 'Ürümqi'],
    ['220.182.1.1', 'CN', 'CN-XZ', 'Qamdo'],
    ['60.31.1.1', 'CN', 'CN-NM', 'Hohhot'],
    // Hong Kong, Macao and Taiwan are provinces here
    ['203.198.7.66', 'CN', 'CN-HK', 'Hong Kong'],
    ['61.244.1.1', 'CN', 'CN-HK', 'Hong Kong'],
    ['202.175.3.3', 'CN', 'CN-MO', 'Macao'],
    ['168.95.1.1', 'CN', 'CN-TW', ''],
    // China, IPv6
    ['2400:3200::1', 'CN', 'CN-ZJ', 'Hangzhou'],
    ['240e:3b7:3272:d8d0:35d1:dc92:b3b:b80', 'CN', 'CN-GD', 'Shenzhen'],
    ['2409:8a0c::1', 'CN', 'CN-SX', 'Taiyuan'],
    ['2408:8214:6000::1', 'CN', 'CN-SD', 'Linyi'],
    ['240e:34c:8000::1', 'CN', 'CN-YN', 'Lincang'],
    // World
    ['8.8.8.8', 'US', 'California', 'Mountain View'],
    ['81.2.69.142', 'GB', 'England', 'London'],
    ['2a00:1450:4001:80e::200e', 'DE', 'Hesse', 'Frankfurt am Main'],
    // IPv4 inside IPv6: mapped (reported by a dual-stack socket), NAT64, 6to4
    ['::ffff:114.114.114.114', 'CN', 'CN-JS', 'Nanjing'],
    ['::ffff:7272:7272', 'CN', 'CN-JS', 'Nanjing'],
    ['64:ff9b::7272:7272', 'CN', 'CN-JS', 'Nanjing'],
    ['2002:7272:7272::1', 'CN', 'CN-JS', 'Nanjing'],
    [' [2400:3200::1] ', 'CN', 'CN-ZJ', 'Hangzhou'],
  ])('%s is in %s %s %s', (ip, country, province, city) => {
    expect(placeOf(ip)).toMatchObject({ country, province, city });
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '172.20.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1%eth0',
    'fd00::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4:80',
  ])('%s has no place', (ip) => {
    expect(placeOf(ip)).toEqual({ country: '', province: '', city: '', isp: '' });
  });

  test('a European IPv6 address is never looked up in the IPv4 file', () => {
    expect(placeOf('2a01:4f8::1').country).toBe('DE');
  });

  test('gives the same operator for both families', () => {
    expect(placeOf('202.96.128.86').isp).toBe('电信');
    expect(placeOf('240e:3b7:3272:d8d0:35d1:dc92:b3b:b80').isp).toBe('电信');
    expect(placeOf('168.95.1.1').isp).toBe('中华电信');
  });

  test('every result has a known code and no address throws', () => {
    const codes = new Set(provinces.map((province) => province.code));
    const keys = new Map(cities.map((city) => [city.key, city.province]));
    const cases = caseCounts();
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (ip) => {
        const place = placeOf(ip);
        expect(place.country).toMatch(/^([A-Z]{2})?$/);
        if (place.country !== 'CN') return;
        cases.count();
        expect(place.province === '' || codes.has(place.province)).toBe(true);
        if (place.city !== '') expect(keys.get(place.city)).toBe(place.province);
      }),
      { numRuns: 2000 },
    );
    cases.expectAtLeast(11);
  });
});

describe('maskAddress', () => {
  test.each([
    ['203.0.113.7', '203.0.113.x'],
    ['::ffff:203.0.113.7', '203.0.113.x'],
    ['2001:db8:7:8:9::1', '2001:db8:7::x'],
    ['2400:3200::1', '2400:3200::x'],
    ['nonsense', ''],
  ])('%s → %s', (ip, masked) => {
    expect(maskAddress(ip)).toBe(masked);
  });
  test('hides the last part of every address', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => isIP(maskAddress(ip)) === 0));
  });
});

describe('names of places', () => {
  test('34 provinces exist and every city key is unique', () => {
    expect(provinces).toHaveLength(34);
    expect(new Set(cities.map((city) => city.key)).size).toBe(cities.length);
    for (const province of provinces) expect(cities.some((city) => city.province === province.code)).toBe(true);
  });
  test('exist in both languages', () => {
    expect([countryName('CN', 'zh-CN'), countryName('US', 'zh-CN'), countryName('DE', 'en')]).toEqual(['中国', '美国', 'Germany']);
    expect([countryName('HK', 'zh-CN'), countryName('TW', 'zh-CN'), countryName('MO', 'zh-CN')]).toEqual(['中国香港', '中国台湾', '中国澳门']);
    expect([provinceName('CN-GD', 'zh-CN'), provinceName('CN-SN', 'en'), provinceName('California', 'zh-CN')]).toEqual(['广东', 'Shaanxi', 'California']);
    expect([cityName('Shenzhen', 'zh-CN'), cityName('Suzhou (Anhui)', 'zh-CN'), cityName('Suzhou', 'zh-CN'), cityName('London', 'zh-CN')]).toEqual([
      '深圳',
      '宿州',
      '苏州',
      'London',
    ]);
    expect([countryName('', 'zh-CN'), countryName('nonsense', 'en')]).toEqual(['', 'nonsense']);
  });
});

describe('the place of an address as text', () => {
  it.each([
    ['127.0.0.1', '本机或内网'],
    ['::1', '本机或内网'],
    ['192.168.3.7', '本机或内网'],
    ['169.254.169.254', ''],
    ['not an address', ''],
  ])('%s is “%s”', (address, placeText) => expect(placeTextOf(address, 'zh-CN')).toBe(placeText));

  it("shows places in China in the reader's language without repetition", () => {
    expect(placeTextOf('202.96.209.133', 'zh-CN')).toBe('中国 上海');
    expect(placeTextOf('202.96.209.133', 'en')).toBe('China Shanghai');
  });
});
