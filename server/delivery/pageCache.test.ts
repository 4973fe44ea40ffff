import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createPageCache, encodePage, encodingFor } from './pageCache';
import type { PageKey } from './pageCache';

const key = (path: string, release = 'r1'): PageKey => ({ siteId: 's', release, host: 'a.test', path, language: 'en' });
const page = (html: string) => encodePage(200, html, { 'content-type': 'text/html; charset=utf-8' });

test('a page is found by its address, release and content version', async () => {
  const cache = createPageCache(100_000);
  const stored = await page('a');
  cache.put(key('/'), 1, stored);
  expect([cache.get(key('/'), 1), cache.get(key('/'), 2), cache.get(key('/', 'r2'), 1), cache.get(key('/b'), 1)]).toEqual([stored, null, null, null]);
});

test('an outdated page remains as the last good one', async () => {
  const cache = createPageCache(100_000);
  const stored = await page('a');
  cache.put(key('/'), 1, stored);
  expect(cache.lastGood(key('/', 'r2'))).toBe(stored);
});

test('the cache never exceeds its bytes and keeps what was used last', async () => {
  const cache = createPageCache(20_000);
  for (let i = 0; i < 100; i++) {
    cache.put(key(`/${i}`), 1, await page('x'.repeat(500)));
    cache.get(key('/0'), 1);
    expect(cache.bytes()).toBeLessThanOrEqual(20_000);
  }
  expect([cache.get(key('/0'), 1), cache.get(key('/1'), 1), cache.get(key('/99'), 1)].map((one) => one !== null)).toEqual([true, false, true]);
});

test('a page that would displace many others is not stored', async () => {
  const cache = createPageCache(20_000);
  cache.put(key('/'), 1, await page('x'.repeat(600)));
  cache.put(key('/big'), 1, await encodePage(200, Array.from({ length: 900 }, (_, i) => String(i * 7919)).join(''), {}));
  expect([cache.get(key('/'), 1) !== null, cache.get(key('/big'), 1)]).toEqual([true, null]);
});

test('every encoding has the same page and a validator of its own', async () => {
  const html = '<p>你好</p>'.repeat(200);
  const { body, etag } = await page(html);
  expect([body.identity.toString(), brotliDecompressSync(body.br).toString(), gunzipSync(body.gzip).toString()]).toEqual([html, html, html]);
  expect(new Set(Object.values(etag)).size).toBe(3);
});

test.each([
  [undefined, 'identity'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', 'identity'],
  ['*', 'identity'],
])('a request that accepts %s gets %s', (accept, expected) => {
  expect(encodingFor(accept)).toBe(expected);
});
