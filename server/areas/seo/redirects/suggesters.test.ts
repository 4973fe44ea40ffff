import type { LiveEvent } from '../../../../contract/live/schemas';
import type { Context } from '../../../context';
import { openSuggesters } from './suggesters';

let now = 0;
let publish = (_event: LiveEvent): void => undefined;
const ctx = {
  now: () => now,
  live: {
    subscribe: (listener: typeof publish) => {
      publish = listener;
      return () => undefined;
    },
  },
} as unknown as Pick<Context, 'live' | 'now'>;

/** How often the pages of sites are read, of which each has a hundred. */
function opened(maxBytes: number) {
  let reads = 0;
  const suggesters = openSuggesters(ctx, maxBytes);
  const pages = async () => {
    reads += 1;
    return new Map(Array.from({ length: 100 }, (_, at) => [`/blog/article-${String(at)}`, '']));
  };
  return async (siteId: string, release = 'first'): Promise<number> => {
    await suggesters.of(siteId, release, pages);
    return reads;
  };
}

test('pages are read once for a release until they change', async () => {
  const readsAfter = opened(10_000_000);
  expect([await readsAfter('a'), await readsAfter('a'), await readsAfter('a', 'second')]).toEqual([1, 1, 2]);
  publish({ type: 'records', siteId: 'b', tableId: 't', ids: [], by: null });
  expect(await readsAfter('a', 'second')).toBe(2);
  publish({ type: 'records', siteId: 'a', tableId: 't', ids: [], by: null });
  expect(await readsAfter('a', 'second')).toBe(3);
  now += 60_000;
  expect(await readsAfter('a', 'second')).toBe(4);
});

test('the site that was used least recently leaves when memory is full', async () => {
  const readsAfter = opened(180_000);
  expect([await readsAfter('a'), await readsAfter('b'), await readsAfter('a')]).toEqual([1, 2, 2]);
  expect([await readsAfter('c'), await readsAfter('a'), await readsAfter('b')]).toEqual([3, 3, 4]);
});

test('a failure is not remembered', async () => {
  const suggesters = openSuggesters(ctx, 1000);
  await expect(suggesters.of('a', null, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect((await suggesters.of('a', null, async () => new Map([['/tea', 'Tea']])))('/tee', 1)).toMatchObject([{ path: '/tea' }]);
});
