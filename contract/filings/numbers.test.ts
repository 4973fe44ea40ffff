import fc from 'fast-check';
import { caseCounts } from '../../test/support/caseCounts';
import { checkNumber, displayedNumber, findNumbers, normalizeNumber, registerLink } from './numbers';
import { filingProvinces } from './provinces';

test.each([
  ['京ICP备12345678号-1', '京ICP备12345678号-1', 'BJ', null, ''],
  ['沪ICP备2024090791号-1', '沪ICP备2024090791号-1', 'SH', null, ''],
  ['津ICP备2026011740号-12', '津ICP备2026011740号-12', 'TJ', null, ''],
  ['　京ＩＣＰ备１２３４５６７８号－１　', '京ICP备12345678号-1', 'BJ', null, ''],
  ['京icp備 1234 5678 號 – 1', '京ICP备12345678号-1', 'BJ', null, ''],
  ['京ICP备12345678号—3', '京ICP备12345678号-3', 'BJ', null, ''],
  ['京ICP备\u200B12345678号-1', '京ICP备12345678号-1', 'BJ', null, ''],
  ['京ICP备12345678号-2A', '京ICP备12345678号-2A', 'BJ', null, ''],
  ['京ICP备12345678号-3x', '京ICP备12345678号-3X', 'BJ', null, ''],
  ['蜀ICP备12345678号-1', '蜀ICP备12345678号-1', 'SC', null, ''],
  ['陇ICP备12345678号-1', '陇ICP备12345678号-1', 'GS', null, ''],
  ['粤ICP备12345678号', '粤ICP备12345678号', 'GD', null, ''],
  ['粤ICP备12345678号-1', '粤ICP备12345678号-1', 'GD', null, 'icp_suffix_in_guangdong'],
  ['京ICP备12345678号', '京ICP备12345678号', 'BJ', 'icp_needs_site_suffix', ''],
  ['京ICP备1234567号-1', '京ICP备1234567号-1', null, 'icp_format', ''],
  ['京ICP备123456789号-1', '京ICP备123456789号-1', null, 'icp_format', ''],
  ['京ICP备12345678-1', '京ICP备12345678-1', null, 'icp_format', ''],
  ['京ICP备12345678号-0', '京ICP备12345678号-0', null, 'icp_format', ''],
  ['京ICP备12345678号-1B', '京ICP备12345678号-1B', null, 'icp_format', ''],
  ['X ICP备12345678号-1', 'XICP备12345678号-1', null, 'icp_format', ''],
  ['ICP备12345678号-1', 'ICP备12345678号-1', null, 'icp_format', ''],
  ['京ICP证030173号', '京ICP证030173号', null, 'icp_format', ''],
  ['', '', null, 'icp_format', ''],
] as const)('ICP %s', (text, number, province, error, warnings) => {
  expect(checkNumber('icp', text)).toEqual({ number, province, error, warnings: warnings === '' ? [] : [warnings] });
});

test.each([
  ['京公网安备11010502030143号', '京公网安备11010502030143号', 'BJ', null, ''],
  ['京公网安备 １１０１０５０２０３０１４３ 号', '京公网安备11010502030143号', 'BJ', null, ''],
  ['川公網安備51019002000001號', '川公网安备51019002000001号', 'SC', null, ''],
  ['滇公网安备53010202000001号', '滇公网安备53010202000001号', 'YN', null, ''],
  ['云公网安备53010202000001号', '云公网安备53010202000001号', 'YN', null, ''],
  ['渝公网安备11010502030143号', '渝公网安备11010502030143号', 'CQ', null, 'mps_province_mismatch'],
  ['京公网安备99010502030143号', '京公网安备99010502030143号', 'BJ', null, 'mps_province_mismatch'],
  ['京公网安备1101050203014号', '京公网安备1101050203014号', null, 'mps_digits', ''],
  ['京公网安备110105020301433号', '京公网安备110105020301433号', null, 'mps_digits', ''],
  ['京公安备11010502030143号', '京公安备11010502030143号', null, 'mps_format', ''],
  ['11010502030143', '11010502030143', null, 'mps_format', ''],
] as const)('public security %s', (text, number, province, error, warnings) => {
  expect(checkNumber('mps', text)).toEqual({ number, province, error, warnings: warnings === '' ? [] : [warnings] });
});

test.each([
  ['京ICP证030173号', 'BJ', ''],
  ['京ICP證030173號', 'BJ', ''],
  ['浙B2-20080101-4', 'ZJ', ''],
  ['合字B2-20080101', null, ''],
  ['京ICP证030173号-2', 'BJ', ''],
  ['A2.B1.B2-20080101', null, 'license_format'],
] as const)('license %s', (text, province, warnings) => {
  expect(checkNumber('license', text)).toMatchObject({ province, error: null, warnings: warnings === '' ? [] : [warnings] });
});

test.each([
  ['粤ICP备12345678号-1', '粤ICP备12345678号'],
  ['粤ICP备12345678号', '粤ICP备12345678号'],
  ['粤ICP备12345678号-2A', '粤ICP备12345678号-2A'],
  ['京ICP备12345678号-1', '京ICP备12345678号-1'],
  ['京公网安备11010502030143号', '京公网安备11010502030143号'],
])('%s is displayed as %s', (number, displayed) => {
  expect(displayedNumber(number)).toBe(displayed);
});

test('public security numbers lead to their entry of the register', () => {
  expect(registerLink('mps', '京公网安备11010502030143号')).toBe('https://beian.mps.gov.cn/#/query/webSearch?code=11010502030143');
  expect(registerLink('icp', '京ICP备12345678号-1')).toBe('https://beian.miit.gov.cn/');
});

test('a pasted footer contains all numbers, each once', () => {
  const footer = `<p>© 2026 某公司 <a href="https://beian.miit.gov.cn">京ICP备１２３４５６７８号&ndash;1</a>&nbsp;|&nbsp;
    <!-- 沪ICP备87654321号-1 --><img src="/police.png"><a href="#">京公网安备<b> 11010502030143</b>号</a> 京ICP证030173号 浙B2-20080101 <span>京ICP备12345678号-1</span></p>`;
  expect(findNumbers(footer)).toEqual([
    { kind: 'icp', number: '京ICP备12345678号-1' },
    { kind: 'mps', number: '京公网安备11010502030143号' },
    { kind: 'license', number: '京ICP证030173号' },
    { kind: 'license', number: '浙B2-20080101' },
  ]);
});

test.each(['', '© 2026', '电话 010-12345678', '京ICP备案中', '<a href="', '&#99999999;'])('there is no number in %j', (text) => {
  expect(findNumbers(text)).toEqual([]);
});

const characters = fc.constantFrom(...filingProvinces.map(({ icp }) => icp.charAt(0)));
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${String(length)}}$`));
const wide = (text: string): string => text.replaceAll(/[\dA-Z]/g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfe_e0));

test('a number is found in whatever form it is pasted', () => {
  const cases = caseCounts();
  fc.assert(
    fc.property(characters, fc.oneof(digits(8), digits(10)), fc.integer({ min: 1, max: 999 }), fc.boolean(), (character, body, site, isWide) => {
      const number = `${character}ICP备${body}号-${String(site)}`;
      const pasted = `<div>ICP: <a>${isWide ? wide(number) : number}</a></div>`;
      expect(findNumbers(pasted)).toEqual([{ kind: 'icp', number }]);
      expect(checkNumber('icp', number).error).toBe(null);
      cases.count();
    }),
  );
  cases.expectAtLeast(50);
});

test('a normalized number stays as it is', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => expect(normalizeNumber(normalizeNumber(text))).toBe(normalizeNumber(text))));
});

test('many comments without an end are read once', () => {
  expect(findNumbers(`京ICP备12345678号-1 ${'<!--'.repeat(100_000)}`)).toHaveLength(1);
});
