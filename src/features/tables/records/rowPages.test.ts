import { pageOf, recordOf } from '../../../../test/support/recordsScreen';
import type { PageRequest } from './pageLoader';
import { pageRows } from './rowPageStore';
import { makeRowPages } from './rowPages';
import { columnValues } from './useRecordSource';

/** A server with that many records; `requests` lists the requests it received. */
function setUp(size: number, { fails = () => false }: { fails?: (requests: PageRequest) => boolean } = {}) {
  const requests: PageRequest[] = [];
  const server = { size, title: (n: number) => `文章 ${String(n)}` };
  const pages = makeRowPages({
    isAborted: (error) => error === 'aborted',
    messageOf: () => '没有网络',
    approximateCount: () => 0,
    toRow: (record) => ({ id: record.id, values: columnValues(record) }),
    fetch: async (one, signal) => {
      requests.push(one);
      await Promise.resolve();
      if (signal.aborted) throw 'aborted';
      if (fails(one)) throw new Error('503');
      const all = Array.from({ length: server.size }, (_, n) => recordOf(n, { f_titleaaaaaaa: server.title(n) }));
      if (one.ids !== undefined) return pageOf(all.filter(({ id }) => one.ids?.split(',').includes(id)));
      const from = one.cursor === undefined ? (one.offset ?? 0) : Number(one.cursor);
      const rows = all.slice(from, from + one.limit);
      const capped = one.count === 'capped' && server.size > 1000;
      const page = pageOf(rows, {
        next: from + rows.length < server.size ? String(from + rows.length) : null,
        total: one.count === 'none' ? null : capped ? 1000 : server.size,
        more: capped,
      });
      // Frozen, as the store returns them.
      Object.freeze(page.rows);
      return page;
    },
  });
  pages.start();
  return { pages, requests, server };
}
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
};

test('only visible pages are requested, once each, from the previous row', async () => {
  const { pages, requests } = setUp(500);
  await settle();
  expect(pages.source.count()).toBe(500);
  pages.source.want(0, 40);
  pages.source.want(90, 130);
  await settle();
  expect(requests.map(({ offset, cursor, count }) => ({ offset, cursor, count }))).toEqual([
    { offset: 0, cursor: undefined, count: 'capped' },
    { offset: undefined, cursor: '100', count: 'none' },
  ]);
  expect(pages.source.row(120)?.values['f_titleaaaaaaa']).toBe('文章 120');
  expect(pages.source.row(250)).toBeUndefined();
});

test('a limited count extends while scrolling, up to the last record', async () => {
  const { pages } = setUp(1250);
  await settle();
  expect(pages.state()).toMatchObject({ total: 1000, more: true });
  expect(pages.source.count()).toBeGreaterThan(1000);
  pages.source.want(1000, 1090);
  await settle();
  expect(pages.source.count()).toBeGreaterThanOrEqual(1100 + pageRows);
  pages.source.want(1200, 1260);
  await settle();
  expect(pages.state()).toMatchObject({ total: 1250, more: false });
  expect(pages.source.count()).toBe(1250);
});

test('an exact count is made on request', async () => {
  const { pages } = setUp(1250);
  await settle();
  await pages.countExactly();
  expect(pages.state()).toMatchObject({ total: 1250, more: false });
});

test('a visible changed page reloads and stays until replaced', async () => {
  const { pages, requests, server } = setUp(300);
  await settle();
  pages.source.want(100, 140);
  await settle();
  requests.length = 0;
  server.title = (n) => `新 ${String(n)}`;
  pages.refresh();
  expect(pages.source.row(110)?.values['f_titleaaaaaaa']).toBe('文章 110');
  await settle();
  expect(requests).toHaveLength(1);
  expect(pages.source.row(110)?.values['f_titleaaaaaaa']).toBe('新 110');
  expect(pages.source.row(10)).toBeUndefined();
});

test('an unchanged row stays the same object to avoid rendering', async () => {
  const { pages } = setUp(50);
  await settle();
  const first = pages.source.row(3);
  pages.each((record) => (record.n === 4 ? { ...record, revision: 2 } : record));
  expect(pages.source.row(3)).toBe(first);
});

test('only the latest pages remain in memory', async () => {
  const { pages, requests } = setUp(9000);
  await settle();
  for (let from = 0; from < 6000; from += pageRows) {
    pages.source.want(from, from + 20);
    await settle();
  }
  requests.length = 0;
  expect(pages.source.row(0)).toBeUndefined();
  expect(pages.source.row(5950)).toBeDefined();
  pages.source.want(5900, 5920);
  await settle();
  expect(requests).toEqual([]);
});

test('rows for copying load in large pages and report failures', async () => {
  const { pages, requests } = setUp(2500);
  await settle();
  requests.length = 0;
  const rows = await pages.source.load(50, 2500, new AbortController().signal);
  expect(rows).toHaveLength(2450);
  expect(rows[2449]?.values['f_titleaaaaaaa']).toBe('文章 2499');
  expect(requests.map(({ limit }) => limit)).toEqual([1000, 1000, 400]);
  const broken = setUp(500, { fails: ({ offset }) => offset !== undefined && offset >= 100 });
  await settle();
  await expect(broken.pages.source.load(0, 300, new AbortController().signal)).rejects.toThrow('没有网络');
});

test('a failed list shows the error and loads again on request', async () => {
  let down = true;
  const { pages } = setUp(20, { fails: () => down });
  await settle();
  expect(pages.state()).toMatchObject({ total: null, loading: false });
  expect(pages.state().failure).not.toBeNull();
  down = false;
  pages.refresh();
  await settle();
  expect(pages.source.count()).toBe(20);
  expect(pages.state().failure).toBeNull();
});

test('a new record is last, at a known position', async () => {
  const { pages } = setUp(100);
  await settle();
  expect(pages.append(recordOf(900))).toBe(100);
  expect(pages.source.row(100)?.id).toBe(recordOf(900).id);
  expect(pages.source.count()).toBe(101);
  // A record that is added twice, or that also arrives with the list, is there once.
  expect(pages.append(recordOf(900))).toBe(100);
  expect(pages.append(recordOf(7))).toBe(7);
  expect(pages.source.count()).toBe(101);
});
