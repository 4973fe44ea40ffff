import { modulesOf, widths } from './encode';

test('every Code 128 character is distinct, with eleven modules and even bars', () => {
  const characters = widths.slice(0, -1);
  expect(characters).toHaveLength(106);
  expect(new Set(characters).size).toBe(106);
  const sum = (parts: readonly string[]): number => parts.reduce((total, part) => total + Number(part), 0);
  expect(characters.filter((one) => sum([...one]) !== 11 || sum([one[0] ?? '', one[2] ?? '', one[4] ?? '']) % 2 !== 0)).toEqual([]);
});

test('an EAN-13 is drawn as the standard shows it', () => {
  expect(modulesOf('5901234123457')).toBe('10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101');
});

test('a UPC-A is an EAN-13 that begins with zero', () => {
  expect(modulesOf('036000291452')).toBe(modulesOf('0036000291452'));
});

test.each([
  ['96385074', 67],
  ['036000291452', 95],
  ['AB', 11 * 4 + 13],
])('%s is %d modules wide', (code, width) => {
  expect(modulesOf(code)).toHaveLength(width);
});

test('the Code 128 check character is before its end', () => {
  // A is 33, B is 34: 104 + 33 + 2 · 34 is 102 of 103.
  expect(modulesOf('AB')?.slice(33, 44)).toBe('11110101110');
});

test('an invalid code is not drawn', () => {
  expect(modulesOf('5901234123458')).toBeNull();
});
