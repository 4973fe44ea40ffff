import Fastify from 'fastify';
import type { LiveEvent } from '../../contract/live/schemas';
import { until } from '../../test/support/until';
import { watchUse } from './use';

test('use is announced while crawls run and somebody who is signed in calls', async () => {
  const published: LiveEvent[] = [];
  let receive: ((event: LiveEvent) => void) | null = null;
  const live = {
    publish: (event: LiveEvent) => void published.push(event),
    subscribe(listener: (event: LiveEvent) => void) {
      receive = listener;
      return () => {
        receive = null;
      };
    },
  };
  const app = Fastify();
  app.decorateRequest('session', null);
  app.addHook('onRequest', async (request) => {
    if (request.headers.cookie !== undefined) Object.assign(request, { session: {} });
  });
  watchUse(app, { live, postgres: { pool: { query: () => Promise.resolve() } } } as never);
  app.get('/', async () => '');
  const call = async (headers = {}) => {
    await app.inject({ url: '/', headers });
    return [...published];
  };
  const cookie = 'session=1';
  expect(await call({ cookie })).toEqual([]);
  (receive as ((event: LiveEvent) => void) | null)?.({ type: 'crawl', siteId: 'tea', runId: '1' });
  expect(await call()).toEqual([]);
  expect((await call({ cookie }))[0]).toEqual({ type: 'use', slow: false });
  // The first report is what later ones are compared with.
  await until(() => published.length > 1);
  expect(published[1]).toEqual({ type: 'use', slow: false });
  await app.close();
  expect(receive).toBeNull();
});
