import fc from 'fast-check';
import { currencySymbol, fixedText, makeMoneyWriter, parseFixed } from './money';
import { caseCounts } from '../../test/support/caseCounts';

const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
const digits = fc.integer({ min: 0, max: 4 });
const fullWidth = (text: string) => text.replaceAll(/[0-9.,]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));

test('formatted amounts parse back to the same amount', () => {
  fc.assert(
    fc.property(amount, digits, fc.boolean(), (value, places, grouped) => {
      const text = fixedText(value, places, grouped);
      expect(parseFixed(text, places)).toBe(value);
      expect(parseFixed(fullWidth(text), places)).toBe(value);
      expect(parseFixed(` ￥ ${text} `, places)).toBe(value);
      expect(parseFixed(`${text}${places === 0 ? '.' : ''}00`, places)).toBe(value);
    }),
  );
});

test('an amount is never rounded: digits below the minor unit are refused', () => {
  fc.assert(
    fc.property(amount, digits, fc.integer({ min: 1, max: 9 }), (value, places, beyond) => {
      expect(parseFixed(`${fixedText(value, places)}${places === 0 ? '.' : ''}${beyond}`, places)).toBeNull();
    }),
  );
});

test('any text gives whole minor units or null, and round-trips', () => {
  const cases = caseCounts();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE１２，．￥ '.split('')) }),
        fc.stringMatching(/^[0-9]{1,6}([.．][0-9]{1,2})?$/),
      ),
      digits,
      (text, places) => {
        const value = parseFixed(text, places);
        if (value === null) return;
        cases.count();
        expect(Number.isSafeInteger(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(parseFixed(fixedText(value, places, true), places)).toBe(value);
      },
    ),
  );
  cases.expectAtLeast(6);
});

test.each([
  ['12.50', 1250],
  ['１２．５０', 1250],
  ['12。5', 1250],
  ['.5', 50],
  ['5.', 500],
  ['1,234.5', 123450],
  ['US$1,234.50', 123450],
  ['0', 0],
  // Ambiguous: 12.5 or 1,250. Refused rather than guessed.
  ['12,50', null],
  ['1,2345', null],
  ['-5', null],
  ['1e3', null],
  ['0x10', null],
  ['12.345', null],
  ['', null],
  ['.', null],
  ['9'.repeat(20), null],
])('%j of a currency with two decimals', (text, value) => {
  expect(parseFixed(text, 2)).toBe(value);
});

test('groups and signs are parsed', () => {
  expect(fixedText(123456789, 2, true)).toBe('1,234,567.89');
  expect(fixedText(5, 2)).toBe('0.05');
  expect(fixedText(-125000, 2, true)).toBe('-1,250.00');
  expect(fixedText(1000, 0, true)).toBe('1,000');
  expect(currencySymbol('zh-CN', 'CNY')).toBe('¥');
  expect(currencySymbol('zh-CN', 'USD')).toBe('US$');
  const write = makeMoneyWriter('zh-CN');
  expect([write(125000, 'CNY', 2), write(-5, 'USD', 2), write(1000, 'JPY', 0), write(1_000_000_000_001, 'CNY', 2)]).toEqual([
    '¥1,250.00',
    '−US$0.05',
    'JP¥1,000',
    '¥10,000,000,000.01',
  ]);
  const inEnglish = makeMoneyWriter('en');
  expect([inEnglish(125000, 'CNY', 2), inEnglish(1000, 'JPY', 0), inEnglish(5, 'USD', 2)]).toEqual(['¥1,250.00', 'JPY\u00a01,000', '$0.05']);
  expect([currencySymbol('en', 'CNY'), currencySymbol('en', 'JPY')]).toEqual(['¥', 'JPY']);
  expect(parseFixed(inEnglish(1000, 'JPY', 0), 0)).toBe(1000);
});
