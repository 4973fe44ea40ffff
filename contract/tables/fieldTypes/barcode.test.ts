import fc from 'fast-check';
import { readText, textOf } from '../fieldText';
import { barcodeOf, hasCheckDigit, symbologyOf } from './barcode';

test.each([
  ['5901234123457', 'ean13'],
  ['96385074', 'ean8'],
  ['036000291452', 'upcA'],
  ['ABC-123 x', 'code128'],
  ['12345', 'code128'],
  ['5901234123458', null],
  ['96385075', null],
  ['036000291453', null],
  ['货号', null],
  ['a'.repeat(81), null],
])('%s is drawn as %s', (code, symbology) => {
  expect(symbologyOf(code)).toBe(symbology);
});

test('exactly one final digit is the check digit', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{12}$/), (digits) => {
      expect(Array.from('0123456789').filter((last) => hasCheckDigit(digits + last))).toHaveLength(1);
    }),
  );
});

test('spaces, hyphens and full-width digits are normalized', () => {
  expect(barcodeOf(' 5 901234-123457 ', 'ean13')).toBe('5901234123457');
  expect(barcodeOf('９６３８５０７４', 'ean8')).toBe('96385074');
});

test.each([
  ['96385074', 'ean13'],
  ['5901234123457', 'upcA'],
  ['A', 'ean8'],
  ['é', 'code128'],
] as const)('%s is not a valid %s', (code, symbology) => {
  expect(barcodeOf(code, symbology)).toBeNull();
});

test('text converts to a barcode and back', () => {
  const field = { type: 'barcode', options: { symbology: 'ean13' } } as const;
  expect(readText(field, '5 901234 123457')).toEqual({ ok: true, value: '5901234123457' });
  expect(textOf(field, '5901234123457')).toBe('5901234123457');
});
