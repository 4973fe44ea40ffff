import { valueOf } from '../values/check';
import { Choices, convertValue } from '../values/convert';
import { serverFieldTypeOf } from '.';

const names = { timeZone: 'UTC', names: {}, find: () => null };

test('a code is stored without separators between its digits', () => {
  expect(valueOf({ type: 'barcode', options: { symbology: 'ean13' } }, '5-901234-123457')).toBe('5901234123457');
});

test('a wrong check digit is refused', () => {
  expect(() => valueOf({ type: 'barcode', options: {} }, '5901234123458')).toThrow('pattern');
});

test('the API document states how many digits a code has', () => {
  expect(serverFieldTypeOf('barcode').schema?.({ symbology: 'ean8' }, true)).toEqual({ type: 'string', pattern: String.raw`^\d{8}$` });
});

test.each([
  ['5901234123457', { kind: 'convertible', value: '5901234123457' }],
  ['5 901234 123457', { kind: 'lossy', value: '5901234123457', note: 'changed' }],
  ['5901234123458', { kind: 'failing', error: { code: 'pattern' } }],
])('the text %s becomes a code where possible', (text, converted) => {
  expect(convertValue({ type: 'text', options: {} }, { type: 'barcode', options: { symbology: 'ean13' } }, text, names, new Choices([], false))).toEqual(
    converted,
  );
});

test('a code becomes the same text', () => {
  expect(convertValue({ type: 'barcode', options: {} }, { type: 'text', options: {} }, '96385074', names, null)).toEqual({
    kind: 'convertible',
    value: '96385074',
  });
});
