import fastify from 'fastify';
import type { LiveEvent } from '../../contract/live/schemas';
import { until } from '../../test/support/until';
import type { Context } from '../context';
import { createWaits, watchUse } from './use';

test('a wait is slow if it is longer than usual', () => {
  const isSlow = createWaits();
  const over = (wait: number, times: number): number => Array.from({ length: times }, () => isSlow(wait)).filter(Boolean).length;
  expect([over(2, 20), over(3, 20), over(9, 20)]).toEqual([0, 0, 20]);
  // Where all waits are long, they become the usual ones.
  expect(over(9, 200)).toBeLessThan(200);
  expect(over(9, 20)).toBe(0);
  over(1, 20);
  expect(over(9, 1)).toBe(1);
});

test('use is announced while crawls run and a signed-in caller uses the API', async () => {
  const published: LiveEvent[] = [];
  const listeners = new Set<(event: LiveEvent) => void>();
  const live = {
    publish: (event: LiveEvent) => void published.push(event),
    subscribe(listener: (event: LiveEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const postgres = { pool: { query: () => Promise.resolve() } };
  const app = fastify();
  app.decorateRequest('session', null);
  app.addHook('onRequest', async (request) => {
    if (request.headers.cookie !== undefined) Object.assign(request, { session: {} });
  });
  watchUse(app, { live, postgres } as unknown as Pick<Context, 'live' | 'postgres'>);
  app.get('/', async () => '');
  const call = async (headers: Readonly<Record<string, string>> = {}): Promise<readonly LiveEvent[]> => {
    await app.inject({ url: '/', headers });
    return [...published];
  };
  const signedIn = { cookie: 'session=1' };
  expect(await call(signedIn)).toEqual([]);
  for (const receive of listeners) receive({ type: 'crawl', siteId: 'tea', runId: '1' });
  expect(await call()).toEqual([]);
  expect(await call(signedIn)).toEqual([{ type: 'use', slow: false }]);
  // With the first report, later ones are compared.
  await until(() => published.length > 1);
  expect(published[1]).toEqual({ type: 'use', slow: false });
  await app.close();
  expect(listeners.size).toBe(0);
});
