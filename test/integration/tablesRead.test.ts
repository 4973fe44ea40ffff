import { eq } from 'drizzle-orm';
import pg from 'pg';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import type { MadeTable, Tabled } from '../support/tables';
import { siteGrants } from '../../server/areas/sites/schema';
import { contentCosts } from '../../server/areas/tables/core/schema';
import { flushCosts, listRecords, matchingIds, readAll } from '../../server/areas/tables/core/read';
import { siteModel, tableOf } from '../../server/areas/tables/core/model';
import { getWithQuery, figures, link, makeLinkedTables, page, putRecords, record, recordId, refusal, rule } from './tablesReadSupport';

let program: TestApp;
let people: MadeTable;
let testTable: Tabled;
let authors: string[];
beforeAll(async () => {
  program = await makeTestApp();
  ({ testTable, people, authors } = await makeLinkedTables(program));
});
afterAll(() => program.close());
const clear = async () => {
  await program.ctx.postgres.pool.query(`DELETE FROM s_${testTable.site.id}.${testTable.table.id}`);
  await program.ctx.postgres.pool.query(`DELETE FROM s_${testTable.site.id}.l_${(testTable.f['readers'] ?? '').slice(2)}`);
};
afterEach(clear);

const full = {
  title: '红茶',
  body: '<p>好</p>',
  count: 9_007_199_254_740_991,
  price: '12.50',
  share: '12.5',
  good: false,
  day: '2026-02-28',
  at: '2026-02-28T23:59:59.123Z',
  hour: '09:05:00',
  kind: 'a',
  tags: ['x', 'y,"z"'],
  place: { lat: 1.5, lng: -2 },
  pictures: [{ url: 'https://example.com/a.png' }],
};

describe('prepared queries', () => {
  const column = async (change: string) =>
    program.ctx.postgres.pool.query(`ALTER TABLE s_${testTable.site.id}.${testTable.table.id} ALTER COLUMN ${testTable.f['count'] ?? ''} ${change}`);
  const counts = async () =>
    (await page(testTable.owner, testTable.path, { sort: '-count', fields: 'count', filter: { field: 'count', op: 'gt', value: 0 } })).rows;

  it('survive a change of column type on every connection', async () => {
    const ids = await putRecords(program, testTable.site.id, testTable, [{ values: { count: 1 } }, { values: { count: 2 } }]);
    for (const type of ['numeric', 'bigint']) {
      for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 12 }, counts));
      await column(`TYPE ${type}`);
      for (const rows of await Promise.all(Array.from({ length: 12 }, counts))) expect(rows.map((row) => row.id)).toEqual(ids.toReversed());
    }
  });

  it('apply changes of rules and grants immediately', async () => {
    const viewer = await program.makePerson('member');
    await program.grant(testTable.site.id, viewer.userId, 'viewer');
    await putRecords(program, testTable.site.id, testTable, [{ values: { title: '甲', count: 1 } }]);
    const visibleValues = async () => (await page(viewer, testTable.path, { sort: 'count' })).rows.map((row) => row.values);
    for (let n = 0; n < 4; n++) expect(await visibleValues()).toMatchObject([{ title: '甲', count: 1 }]);
    await rule(program, testTable.site.id, testTable.table.id, 'viewer', { fields: [testTable.f['count'] ?? ''] });
    expect(await visibleValues()).toEqual([{ count: 1 }]);
    await program.ctx.postgres.db.delete(siteGrants).where(eq(siteGrants.userId, viewer.userId));
    expect((await getWithQuery(viewer, `${testTable.path}/records`)).statusCode).toBe(404);
  });
});

describe('one record', () => {
  it('is read by keys or ids, and never shows a password hash', async () => {
    const [id = ''] = await putRecords(program, testTable.site.id, testTable, [{ values: { ...full, secret: '$argon2id$x' } }]);
    const read = await record(testTable.owner, testTable.path, id);
    expect(read.values).toEqual({ ...full, secret: true, owner: null, author: null, readers: [] });
    expect(JSON.stringify(await record(testTable.owner, testTable.path, id, { names: 'id' }))).not.toContain('argon');
    expect((await record(testTable.owner, testTable.path, id, { names: 'id' })).values[testTable.f['price'] ?? '']).toBe('12.50');
    expect(read).toMatchObject({ revision: 1, state: 'published', deletedAt: null, locales: [] });
  });

  it('is read in a language, with the first as fallback', async () => {
    const [id = ''] = await putRecords(program, testTable.site.id, testTable, [
      { values: { title: '红茶', body: '<p>好</p>' }, tr: { en: { title: 'Black tea' } } },
    ]);
    const read = await record(testTable.owner, testTable.path, id, { locale: 'en' });
    expect(read.values).toMatchObject({ title: 'Black tea', body: '<p>好</p>' });
    expect(read.locales).toEqual(['en']);
    expect((await record(testTable.owner, testTable.path, id, { locale: 'fr' })).values['title']).toBe('红茶');
  });

  it('is found only in its own table, site and state of deletion', async () => {
    const [id = '', gone = ''] = await putRecords(program, testTable.site.id, testTable, [{ values: full }, { values: full, deleted: true }]);
    const one = (which: string, query = {}) => refusal(testTable.owner, `${testTable.path}/records/${which}`, query);
    expect(await one(id)).toBe('200');
    expect(await one(gone)).toBe('not_found');
    expect((await record(testTable.owner, testTable.path, gone, { trash: 'true' })).deletedAt).not.toBeNull();
    expect(await one(id, { trash: 'true' })).toBe('not_found');
    expect(await one(recordId())).toBe('not_found');
    expect(await one('nonsense')).toBe('not_found');
    expect(await refusal(testTable.owner, `${people.path}/records/${id}`)).toBe('not_found');
    const other = await program.makeSite(testTable.owner, { name: 'Other' });
    expect(await refusal(testTable.owner, `/api/site/${other.id}/table/tables/${testTable.table.id}/records`)).toBe('not_found');
    expect((await page(testTable.owner, testTable.path, { trash: 'true' })).rows.map((row) => row.id)).toEqual([gone]);
  });
});

describe('links of records', () => {
  it('are ids in order, with labels, in two queries per field', async () => {
    const [lin = '', chen = '', wang = ''] = authors;
    const [a = '', b = ''] = await putRecords(program, testTable.site.id, testTable, [
      { values: { title: 'A', author: lin, owner: testTable.owner.userId } },
      { values: { title: 'B', author: wang } },
    ]);
    await link(program, testTable.site.id, testTable.f['readers'] ?? '', [
      [a, chen],
      [a, lin],
      [b, chen],
    ]);
    const found = await page(testTable.owner, testTable.path, { fields: 'author,readers,owner' });
    expect(found.rows.map((row) => row.values)).toEqual([
      { author: lin, readers: [chen, lin], owner: testTable.owner.userId },
      { author: null, readers: [chen], owner: null },
    ]);
    expect(found.labels).toEqual({ records: { [lin]: '林', [chen]: '陈' }, people: { [testTable.owner.userId]: '林' } });
    const others = await page(testTable.owner, people.path);
    expect(others.rows.map((row) => [row.values['works'], row.values['reads']])).toEqual([
      [[a], [a]],
      [[], [a, b]],
    ]);
    expect(others.labels.records).toEqual({ [a]: 'A', [b]: 'B' });
  });

  it('can be filtered with some, none, ids and empty', async () => {
    const [lin = '', chen = '', wang = ''] = authors;
    const ids = await putRecords(program, testTable.site.id, testTable, [
      { values: { title: 'A', author: lin } },
      { values: { title: 'B', author: chen } },
      { values: { title: 'C' } },
      { values: { title: 'D', author: wang } },
    ]);
    await link(program, testTable.site.id, testTable.f['readers'] ?? '', [
      [ids[0] ?? '', lin],
      [ids[0] ?? '', chen],
      [ids[1] ?? '', chen],
    ]);
    const found = async (field: string, op: string, value?: unknown) =>
      (await page(testTable.owner, testTable.path, { filter: { field, op, value } })).rows.map((row) => row.values['title']).join('');
    const old = { field: 'age', op: 'gt', value: 40 };
    expect(await found('author', 'some', old)).toBe('B');
    expect(await found('author', 'none', old)).toBe('ACD');
    expect(await found('author', 'eq', lin)).toBe('A');
    expect(await found('author', 'ne', lin)).toBe('BCD');
    expect(await found('author', 'empty')).toBe('CD');
    expect(await found('readers', 'some', old)).toBe('AB');
    expect(await found('readers', 'none', { field: 'name', op: 'eq', value: '林' })).toBe('BCD');
    expect(await found('readers', 'hasAny', [lin])).toBe('A');
    expect(await found('readers', 'hasAll', [lin, chen, lin])).toBe('A');
    expect(await found('readers', 'hasNone', [lin])).toBe('BCD');
    expect(await found('readers', 'empty')).toBe('CD');
    const works = (await page(testTable.owner, people.path, { filter: { field: 'works', op: 'some', value: { field: 'title', op: 'eq', value: 'B' } } })).rows;
    expect(works.map((row) => row.values['name'])).toEqual(['陈']);
    const twice = { field: 'reads', op: 'some', value: { field: 'author', op: 'some', value: { field: 'name', op: 'eq', value: '林' } } };
    expect((await page(testTable.owner, people.path, { filter: twice })).rows.map((row) => row.values['name'])).toEqual(['林', '陈']);
    expect((await page(testTable.owner, testTable.path, { sort: 'author' })).rows.map((row) => row.values['title'])).toEqual(['B', 'A', 'C', 'D']);
  });

  it('are found from the other end, of any table', async () => {
    const [lin = ''] = authors;
    const [a = '', b = ''] = await putRecords(program, testTable.site.id, testTable, [
      { values: { title: 'A', author: lin } },
      { values: { title: 'B' } },
      { values: { title: 'C', author: lin }, deleted: true },
    ]);
    await link(program, testTable.site.id, testTable.f['readers'] ?? '', [[b, lin]]);
    const answer = await getWithQuery(testTable.owner, `${people.path}/records/${lin}/links`);
    expect(answer.json<{ data: unknown }>().data).toEqual([
      { tableId: testTable.table.id, tableTitle: '表', fieldId: testTable.f['author'], fieldTitle: '作者', recordId: a, label: 'A' },
      { tableId: testTable.table.id, tableTitle: '表', fieldId: testTable.f['readers'], fieldTitle: '读者', recordId: b, label: 'B' },
    ]);
    expect(await refusal(testTable.owner, `${people.path}/records/${recordId()}/links`)).toBe('not_found');
  });
});

describe('a page of records', () => {
  it('has the requested fields by key or alias and refuses unknown ones', async () => {
    const [id = '', other = ''] = await putRecords(program, testTable.site.id, testTable, [{ values: full }, { values: full }]);
    expect((await page(testTable.owner, testTable.path, { fields: `price,${testTable.f['day']}`, ids: id })).rows.map((row) => row.values)).toEqual([
      { price: '12.50', day: '2026-02-28' },
    ]);
    expect((await page(testTable.owner, testTable.path, { fields: '-' })).rows.map((row) => row.values)).toEqual([{}, {}]);
    expect((await page(testTable.owner, testTable.path, { ids: `${other},${recordId()}` })).rows.map((row) => row.id)).toEqual([other]);
    expect(await refusal(testTable.owner, `${testTable.path}/records`, { fields: 'price,f_aaaaaaaaaaaa' })).toBe('invalid_fields fields:unknown_field');
    expect(await refusal(testTable.owner, `${testTable.path}/records`, { ids: `${id},' OR 1=1` })).toBe('invalid_fields ids:wrong_type');
    expect(await refusal(testTable.owner, `${testTable.path}/records`, { limit: 1001 })).toMatch(/^invalid_fields limit/);
  });

  it('records query costs by filtered and sorted fields', async () => {
    await putRecords(program, testTable.site.id, testTable, [{ values: full }]);
    for (let n = 0; n < 3; n++)
      await page(testTable.owner, testTable.path, {
        filter: {
          and: [
            { field: 'price', op: 'gt', value: 1 },
            { field: 'day', op: 'notEmpty' },
          ],
        },
        sort: '-count',
      });
    const answer = await page(testTable.owner, testTable.path, { sort: '-count' });
    expect(answer.cost.ms).toBeGreaterThan(0);
    expect(answer.cost.slow).toBe(false);
    await flushCosts(program.ctx);
    await flushCosts(program.ctx);
    const shape = `filter:${[testTable.f['price'] ?? '', testTable.f['day'] ?? ''].toSorted().join(',')}|sort:${testTable.f['count']}`;
    const costs = await program.ctx.postgres.db.select().from(contentCosts);
    expect(costs.find((cost) => cost.shape === shape)).toMatchObject({ tableId: testTable.table.id, siteId: testTable.site.id, count: 3 });
  });

  it('is stopped with a clear error when it takes too long', async () => {
    await program.ctx.postgres.pool.query(
      `INSERT INTO s_${testTable.site.id}.${testTable.table.id} (id, n, ord, created_at, updated_at, ${testTable.f['title']}) SELECT gen_random_uuid(), n, n, now(), now(), repeat('x', 400000) || n FROM generate_series(1, 60) n`,
    );
    // Connections with a statement timeout of ten milliseconds instead of five seconds.
    const reads = new pg.Pool({ connectionString: program.stores.databaseUrl, statement_timeout: 10 });
    const model = await siteModel(program.ctx, testTable.site.id);
    const tableContext = { model, table: tableOf(model, testTable.table.id), reader: { role: 'admin' as const, userId: null }, timeZone: 'Asia/Shanghai' };
    const filter = { or: ['a', 'b', 'c', 'd'].map((value) => ({ field: 'title', op: 'contains' as const, value: value.repeat(40) })) };
    const ctx = { ...program.ctx, postgres: { ...program.ctx.postgres, reads } };
    await expect(listRecords(ctx, tableContext, { filter, limit: 50 })).rejects.toMatchObject({ code: 'too_slow', status: 503 });
    await reads.end();
  });

  it('is read in chunks for long jobs, and by ids', async () => {
    const ids = await putRecords(
      program,
      testTable.site.id,
      testTable,
      Array.from({ length: 25 }, (_, at) => ({ values: { count: at } })),
    );
    const model = await siteModel(program.ctx, testTable.site.id);
    const tableContext = { model, table: tableOf(model, testTable.table.id), reader: { role: 'admin' as const, userId: null }, timeZone: 'Asia/Shanghai' };
    const read: unknown[] = [];
    for await (const { rows } of readAll(program.ctx, tableContext, { sort: [{ field: 'count', descending: true }] }, 10))
      read.push(...rows.map((row) => row.values['count']));
    expect(read).toEqual(Array.from({ length: 25 }, (_, at) => 24 - at));
    const filter = { field: 'count', op: 'gte' as const, value: 5 };
    const first = await matchingIds(program.ctx, tableContext, { filter }, { action: 'update', limit: 12 });
    const rest = await matchingIds(program.ctx, tableContext, { filter }, { action: 'update', limit: 12, after: first.at(-1) ?? null });
    expect([...first, ...rest]).toEqual(ids.slice(5));
  });
});

describe('aggregates of records', () => {
  beforeEach(async () => {
    await putRecords(program, testTable.site.id, testTable, [
      { values: { title: 'a', count: 1, price: '0.10', kind: 'a', day: '2026-01-31', at: '2026-01-31T15:59:59Z', good: true, author: authors[1] } },
      { values: { title: 'b', count: 2, price: '0.20', kind: 'z', day: '2026-02-01', at: '2026-01-31T16:00:00Z', author: authors[0] } },
      { values: { title: 'b', count: 4, kind: 'a', day: '2026-02-01', tags: ['x'], secret: 'hash', author: authors[0] } },
      { values: { count: 9_007_199_254_740_991, price: '100000000000000000.05' }, deleted: true },
      { values: { title: '' } },
    ]);
  });

  it('are exact and distinguish empty values', async () => {
    const of = [
      'price:sum',
      'price:avg',
      'price:median',
      'count:sum',
      'count:max',
      'count:median',
      'title:filled',
      'title:empty',
      'title:distinct',
      'day:min',
      'at:max',
      'tags:filled',
      'secret:filled',
      'readers:empty',
      '$n:count',
    ].join(',');
    expect(await figures(testTable.owner, testTable.path, { of })).toMatchObject({
      count: 4,
      values: {
        'price:sum': '0.30',
        'price:avg': '0.15',
        'price:median': '0.15',
        'count:sum': 7,
        'count:max': 4,
        'count:median': '2',
        'title:filled': 3,
        'title:empty': 1,
        'title:distinct': 2,
        'day:min': '2026-01-31',
        'at:max': '2026-01-31T16:00:00.000Z',
        'tags:filled': 1,
        'secret:filled': 1,
        'readers:empty': 4,
        '$n:count': 4,
      },
    });
    expect((await figures(testTable.owner, testTable.path, { of: 'price:sum', filter: { field: 'title', op: 'eq', value: 'none' } })).values).toEqual({
      'price:sum': null,
    });
  });

  it('group choices in their order, days in the site’s zone, and links', async () => {
    const keys = async (group: string) =>
      (await figures(testTable.owner, testTable.path, { group, of: 'count:sum' })).groups.map((one) => [...one.keys, one.count, one.values['count:sum']]);
    expect(await keys('kind')).toEqual([
      ['z', 1, 2],
      ['a', 2, 5],
      [null, 1, null],
    ]);
    expect(await keys('day:month')).toEqual([
      ['2026-01', 1, 1],
      ['2026-02', 2, 6],
      [null, 1, null],
    ]);
    expect(await keys('at')).toEqual([
      ['2026-01-31', 1, 1],
      ['2026-02-01', 1, 2],
      [null, 2, 4],
    ]);
    expect(await keys('title,good')).toEqual([
      ['a', true, 1, 1],
      ['b', null, 2, 6],
      [null, null, 1, null],
    ]);
    const byAuthor = await figures(testTable.owner, testTable.path, { group: 'author' });
    expect(byAuthor.labels.records).toEqual({ [authors[0] ?? '']: '林', [authors[1] ?? '']: '陈' });
  });

  it('are refused for fields that do not support them', async () => {
    const how = (query: Record<string, string>) => refusal(testTable.owner, `${testTable.path}/aggregate`, query);
    expect(await how({ of: 'title:sum' })).toBe('invalid_fields of:wrong_type');
    expect(await how({ of: 'secret:distinct' })).toBe('invalid_fields of:wrong_type');
    expect(await how({ of: 'none:sum' })).toBe('invalid_fields of:unknown_field');
    expect(await how({ of: 'count:drop' })).toBe('invalid_fields of:wrong_type');
    expect(await how({ of: "count:sum');--" })).toMatch(/^invalid_fields of/);
    expect(await how({ group: 'tags' })).toBe('invalid_fields group:wrong_type');
    expect(await how({ group: 'secret' })).toBe('invalid_fields group:wrong_type');
    expect(await how({ group: 'kind:month' })).toBe('invalid_fields group:wrong_type');
    expect(await how({ group: 'kind,day,good,title' })).toBe('invalid_fields group:too_long');
  });
});
