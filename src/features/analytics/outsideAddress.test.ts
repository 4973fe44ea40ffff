import fc from 'fast-check';
import { outsideAddress } from './outsideAddress';

test.each([
  ['referrerHost', 'news.example', 'https://news.example/'],
  ['referrerPath', 'news.example/a b', 'https://news.example/a%20b'],
  ['referrerUrl', 'http://news.example/a?b=1', 'http://news.example/a?b=1'],
] as const)('%s %s opens %s', (by, key, address) => expect(outsideAddress(by, key)).toBe(address));

test.each([
  ['referrerUrl', 'javascript:alert(1)'],
  ['referrerUrl', ' javascript:alert(1)//https://news.example'],
  ['referrerUrl', 'data:text/html,<script>alert(1)</script>'],
  ['referrerUrl', 'android-app://com.example'],
  ['referrerUrl', 'https://bank.example@evil.example/'],
  ['referrerUrl', 'news.example/a'],
  ['referrerHost', ''],
  ['referrerHost', 'localhost'],
  ['sourceName', 'https://news.example'],
] as const)('%s %s is only text', (by, key) => expect(outsideAddress(by, key)).toBeNull());

test('of all referrers only http addresses can be opened', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `javascript:${text}`),
      ),
      (key) => {
        for (const by of ['referrerHost', 'referrerPath', 'referrerUrl'] as const) expect(outsideAddress(by, key) ?? 'https://').toMatch(/^https?:\/\//);
      },
    ),
  );
});
