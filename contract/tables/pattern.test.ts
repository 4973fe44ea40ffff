import fc from 'fast-check';
import { compilePattern, fitsPattern } from './pattern';

const atoms = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\p{Script=Han}', '茶', '\\.', '1', '\\w', '[\\]a-c]');
const pattern = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    atoms,
    fc.tuple(tie('any'), tie('any')).map((parts) => parts.join('')),
    fc.tuple(tie('any'), tie('any')).map((parts) => `(?:${parts.join('|')})`),
    fc.tuple(tie('any'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,2}', '{1,}', '+?')).map(([one, sign]) => `(${one})${sign}`),
    tie('any').map((one) => `^${one}$`),
  ),
})).any;

test('matches whole texts exactly like JavaScript', () => {
  fc.assert(
    fc.property(pattern, fc.array(fc.constantFrom('a', 'b', '1', '.', '茶', '龙', '😀', '\n'), { maxLength: 6 }), (source, letters) => {
      const text = letters.join('');
      expect([source, text, fitsPattern(source, text)]).toEqual([source, text, new RegExp(`^(?:${source})$`, 'u').test(text)]);
    }),
    { numRuns: 3000 },
  );
});

test.each(['(a+)+b', '(a|aa)+b', '(.*)*x', '(\\w+\\s?)+$!', '([a-z]+)*\\d'])('%s finishes quickly over a long text', (source) => {
  expect(fitsPattern(source, 'a'.repeat(200_000))).toBe(false);
});

test.each(['(?=a)', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '\\bword', '(', 'a{3,2}', '[z-a]', '*', '\\d{1,4000}', `${'('.repeat(80)}a${')'.repeat(80)}`])(
  '%s is refused',
  (source) => expect(compilePattern(source)).toBeNull(),
);

test('common patterns match as expected', () => {
  expect(fitsPattern('1[3-9]\\d{9}', '13800138000')).toBe(true);
  expect(fitsPattern('1[3-9]\\d{9}', '138001380001')).toBe(false);
  expect(fitsPattern('^[\\p{Script=Han}·]{2,20}$', '阿卜杜拉·买买提')).toBe(true);
  expect(fitsPattern('[A-Z]{2}-\\d{4}(-[a-z]+)?', 'AB-1234-x')).toBe(true);
});
