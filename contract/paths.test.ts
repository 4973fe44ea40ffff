import fc from 'fast-check';
import { normalizePath } from './paths';
import { caseCounts } from '../test/support/caseCounts';

test.each([
  ['/%E8%8C%B6%E5%8F%B6', '/茶叶'],
  ['/%e8%8c%b6', '/茶'],
  ['/茶', '/茶'],
  ['/caf%C3%A9/%F0%9F%8D%B5', '/café/🍵'],
  ['/%41%7a%2D%5f%7E', '/Az-_~'],
  ['/a%2fb%3f%23%25', '/a%2Fb%3F%23%25'],
  ['/a%2541', '/a%2541'],
  ['/a%20b c', '/a%20b%20c'],
  ['/%0a%7f%c2%85', '/%0A%7F%C2%85'],
  ['/%e2%80%ae%E3%80%80', '/%E2%80%AE%E3%80%80'],
  ['/%2e%2E/up', '/%2E%2E/up'],
  ['/%b2%e8', '/%B2%E8'],
  ['/%c0%af', '/%C0%AF'],
  ['/%ed%a0%80', '/%ED%A0%80'],
  ['/%f4%90%80%80', '/%F4%90%80%80'],
  ['/%e8%8c', '/%E8%8C'],
  ['/100%', '/100%25'],
  ['/%%34%31', '/%2541'],
  ['/%7Ba%7C%7D^%5e', '/{a|}^^'],
  ['/"<>`', '/%22%3C%3E%60'],
  ['/app#/%E8%B7%AF%E7%94%B1?q=%E8%8C%B6', '/app#/路由?q=茶'],
  ['', ''],
])('%s is normalized to %s', (path, form) => expect(normalizePath(path)).toBe(form));

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    'a',
    '%',
    '%2',
    '#',
    '?',
    '茶',
    ' ',
    '%25',
    '%2F',
    '%e8',
    '%8C',
    '%b6',
    '%C3',
    '%A9',
    '%F0',
    '%9F',
    '%8d',
    '%b5',
    '41',
    'é',
    '\u200b',
    '"',
  ),
  fc.nat({ max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const path = fc.array(piece, { maxLength: 12 }).map((fragments) => `/${fragments.join('')}`);

test('normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(path, (text) => expect(normalizePath(normalizePath(text))).toBe(normalizePath(text))),
    { numRuns: 2000 },
  );
});

test('a browser keeps the normalized path and its bytes', () => {
  const bytes = (text: string): string =>
    Buffer.from(
      encodeURI(text)
        .replaceAll('%25', '%')
        .replaceAll(/%([0-9a-fA-F]{2})/g, (_, two: string) => String.fromCharCode(Number.parseInt(two, 16))),
      'latin1',
    ).toString('hex');
  const cases = caseCounts();
  fc.assert(
    fc.property(path, (text) => {
      const sent = new URL(`https://example.com/x${text}`).pathname;
      const form = normalizePath(sent);
      expect(normalizePath(new URL(`https://example.com${form}`).pathname)).toBe(form);
      if (/%(?![0-9a-fA-F]{2})/.test(sent)) return;
      cases.count();
      expect(bytes(form)).toBe(bytes(sent));
    }),
    { numRuns: 2000 },
  );
  cases.expectAtLeast(201);
});
