import { createLog } from '../../log';
import { createCardReader } from './cardReader';
import type { CardRequest } from './cardReader';

let now = 1_000_000;
const reader = createCardReader({ now: () => now, log: createLog('silent') }, 20);
const request = (change: Partial<CardRequest<string>> = {}): CardRequest<string> => ({
  id: 'today',
  siteId: 'site',
  reader: 'admin',
  usedFor: 30_000,
  isFresh: false,
  read: () => Promise.resolve({ data: 'first' }),
  ...change,
});
const never = (): Promise<never> => new Promise(() => undefined);

test('data are cached for a time, for readers with the same rights', async () => {
  expect(await reader.read(request())).toEqual({ state: 'ok', at: new Date(now).toISOString(), data: 'first' });
  now += 29_999;
  const second = () => Promise.resolve({ data: 'second' });
  expect(await reader.read(request({ read: second }))).toMatchObject({ data: 'first' });
  expect(await reader.read(request({ read: second, reader: 'viewer' }))).toMatchObject({ data: 'second' });
  expect(await reader.read(request({ read: second, isFresh: true }))).toMatchObject({ data: 'second' });
  reader.forget('site', ['live']);
  expect(await reader.read(request())).toMatchObject({ data: 'second' });
  reader.forget('site', ['today']);
  expect(await reader.read(request({ read: () => Promise.resolve({ data: 'third' }) }))).toMatchObject({ data: 'third' });
});

test('a slow or failing card shows its last data, or an error', async () => {
  const at = new Date(now).toISOString();
  now += 60_000;
  expect(await reader.read(request({ read: never }))).toEqual({ state: 'stale', at, data: 'third' });
  expect(await reader.read(request({ id: 'top', read: never }))).toEqual({ state: 'error', at: null, data: null });
  expect(await reader.read(request({ id: 'live', read: () => Promise.reject(new Error('away')) }))).toMatchObject({ state: 'error' });
});

test('a slow result is cached for the next reader and computed once', async () => {
  let readings = 0;
  let end: (content: { data: string; isEmpty: boolean }) => void = () => undefined;
  const slow = request({
    id: 'search',
    read: () => {
      readings += 1;
      return new Promise((resolve) => (end = resolve));
    },
  });
  expect((await Promise.all([reader.read(slow), reader.read(slow)])).map(({ state }) => state)).toEqual(['error', 'error']);
  end({ data: 'late', isEmpty: true });
  expect(await reader.read(slow)).toMatchObject({ state: 'empty', data: 'late' });
  expect(readings).toBe(1);
});

test('a reading that began before a change does not count as newer', async () => {
  let end: (content: { data: string }) => void = () => undefined;
  const before = reader.read(request({ id: 'content', read: () => new Promise((resolve) => (end = resolve)) }));
  reader.forget('site', ['content']);
  end({ data: 'before' });
  await before;
  expect(await reader.read(request({ id: 'content', read: () => Promise.resolve({ data: 'after' }) }))).toMatchObject({ data: 'after' });
});

test('a reading from before a change is better than nothing', async () => {
  const slow: { end: (content: { data: string }) => void }[] = [];
  const read = () => new Promise<{ data: string }>((end) => slow.push({ end }));
  const first = reader.read(request({ id: 'top', reader: 'editor', read }));
  reader.forget('site', ['top']);
  slow[0]?.end({ data: 'before' });
  await first;
  expect(await reader.read(request({ id: 'top', reader: 'editor', read: never }))).toMatchObject({ state: 'stale', data: 'before' });
  reader.forget('site', ['top']);
  expect(await reader.read(request({ id: 'top', reader: 'editor', read: () => Promise.resolve({ data: 'after' }) }))).toMatchObject({
    state: 'ok',
    data: 'after',
  });
});
