import type { LiveEvent } from '../../contract/live/schemas';
import type { Context } from '../context';
import { openContentVersions } from './contentVersions';
import { openSiteCache } from './siteCache';

/** Live events, the time and the log, under the control of a test. */
function environment() {
  const listeners = new Set<(event: LiveEvent) => void>();
  const state = { now: 0, warnings: 0 };
  const ctx = {
    now: () => state.now,
    log: { warn: () => (state.warnings += 1) },
    live: {
      subscribe: (listener: (event: LiveEvent) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  } as unknown as Pick<Context, 'live' | 'log' | 'now'>;
  return { ctx, state, publish: (event: LiveEvent): void => listeners.forEach((listener) => listener(event)) };
}

test('a value is read once until its event arrives', async () => {
  const { ctx, state, publish } = environment();
  let reads = 0;
  const cache = openSiteCache(ctx, { name: 'count', event: 'filings', mostSites: 10, read: () => Promise.resolve((reads += 1)) });
  expect(await Promise.all([cache.of('a'), cache.of('a')])).toEqual([1, 1]);
  expect(cache.of('a')).toBe(1);
  publish({ type: 'filings', siteId: 'b' });
  publish({ type: 'intl', siteId: 'a' });
  expect(cache.of('a')).toBe(1);
  publish({ type: 'filings', siteId: 'a' });
  expect(await cache.of('a')).toBe(2);
  state.now += 60_000;
  expect(await cache.of('a')).toBe(3);
});

test('the last value stays in use while it cannot be read', async () => {
  const { ctx, state, publish } = environment();
  let isAway = true;
  let reads = 0;
  const read = (): Promise<number> => {
    reads += 1;
    return isAway ? Promise.reject(new Error('away')) : Promise.resolve(reads);
  };
  const cache = openSiteCache(ctx, { name: 'count', event: 'filings', mostSites: 10, read });
  await expect(cache.of('a')).rejects.toThrow('away');
  isAway = false;
  expect(await cache.of('a')).toBe(2);
  isAway = true;
  publish({ type: 'filings', siteId: 'a' });
  expect(await cache.of('a')).toBe(2);
  expect([await cache.of('a'), reads, state.warnings]).toEqual([2, 3, 1]);
  isAway = false;
  state.now += 5000;
  expect(await cache.of('a')).toBe(4);
});

test('a fallback stands for a value that was never read', async () => {
  const { ctx, state } = environment();
  const read = (): Promise<string> => Promise.reject(new Error('away'));
  const cache = openSiteCache(ctx, { name: 'text', event: 'filings', mostSites: 10, read, fallback: 'none' });
  expect([await cache.of('a'), state.warnings]).toEqual(['none', 1]);
});

test('proofs of ownership change pages, pushes do not', () => {
  const { ctx, publish } = environment();
  const versions = openContentVersions(ctx as Context);
  const first = versions.of('a');
  publish({ type: 'seo', siteId: 'a', change: 'pushes' });
  expect(versions.of('a')).toBe(first);
  publish({ type: 'seo', siteId: 'a', change: 'proofs' });
  expect(versions.of('a')).not.toBe(first);
});
