import fc from 'fast-check';
import type { RecordFilter } from '../../contract/tables/recordFilter';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';
import { page, putRecords, refusal } from './tablesReadSupport';

let program: TestApp;
let testTable: Tabled;
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'body', type: 'richText' },
      { key: 'count', type: 'integer', indexed: true },
      { key: 'price', type: 'number' },
      { key: 'good', type: 'switch' },
      { key: 'day', type: 'date' },
      { key: 'at', type: 'datetime' },
      { key: 'hour', type: 'time' },
      {
        key: 'kind',
        type: 'select',
        options: {
          choices: [
            { id: 'red', title: '红茶' },
            { id: 'green', title: 'Green tea' },
          ],
        },
      },
      { key: 'tags', type: 'tags' },
      { key: 'secret', type: 'password' },
      { key: 'mail', type: 'email' },
    ],
    { locales: ['zh-Hans', 'en'] },
  );
});
afterAll(() => program.close());

type Values = Record<string, unknown>;

const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** The meaning of a filter, implemented a second time without the code under test, for three dates of one zone. */
function holds(filter: RecordFilter, values: Values): boolean {
  if ('and' in filter) return filter.and.every((one) => holds(one, values));
  if ('or' in filter) return filter.or.some((one) => holds(one, values));
  if ('not' in filter) return !holds(filter.not, values);
  const own = values[filter.field] ?? null;
  const none = own === null || own === '' || (Array.isArray(own) && own.length === 0);
  const operand = filter.value as never;
  const list = (Array.isArray(filter.value) ? filter.value : [filter.value]) as unknown[];
  const same = (one: unknown): boolean => (filter.field === 'price' ? Number(one) === Number(own) : one === own);
  const low = plainText(own).toLowerCase();
  const needle = String(filter.value).toLowerCase();
  const order = (() => {
    if (filter.field === 'at') {
      // The site is in Shanghai, eight hours ahead of UTC all year.
      const begin = Date.parse(`${String(operand)}T00:00:00+08:00`);
      const at = Date.parse(plainText(own));
      return at < begin ? -1 : at >= begin + 86_400_000 ? 1 : 0;
    }
    const [a, b] = filter.field === 'price' || filter.field === 'count' ? [Number(own), Number(operand)] : [own as string, operand as string];
    return a < b ? -1 : a > b ? 1 : 0;
  })();
  switch (filter.op) {
    case 'empty':
      return none;
    case 'notEmpty':
      return !none;
    case 'ne':
      return none || order !== 0;
    case 'nin':
      return none ? !list.includes(null) : !list.some(same);
    case 'in':
      return none ? list.includes(null) : list.some(same);
    case 'notContains':
      return none || !low.includes(needle);
    case 'hasNone':
      return none || !list.some((one) => (own as unknown[]).includes(one));
    default:
      break;
  }
  if (none) return false;
  switch (filter.op) {
    case 'eq':
      return filter.field === 'good' ? own === operand : order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'contains':
      return low.includes(needle);
    case 'starts':
      return low.startsWith(needle);
    case 'ends':
      return low.endsWith(needle);
    case 'hasAny':
      return list.some((one) => (own as unknown[]).includes(one));
    case 'hasAll':
      return list.every((one) => (own as unknown[]).includes(one));
    default:
      throw new Error(`no meaning written for ${filter.op}`);
  }
}

const texts = ['红茶', '红茶叶', '茶叶红', 'Red Tea', 'red', '100%', 'a_b', 'axb', String.raw`back\slash`, "O'Hara", '茶', '绿茶 Green', 'CAFÉ'];
const needles = ['红茶', '茶叶', '叶红', '茶', 'red', 'EA', '%', '_', '\\', "'", 'é', "' OR 1=1 --", '红茶叶'];
const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
const moments = ['2026-03-01T15:59:59.999Z', '2026-03-01T16:00:00.000Z', '2026-03-02T15:59:59.000Z', '2026-03-02T16:00:00.000Z', '2026-02-28T12:00:00.000Z'];
const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: null });
const recordValues = fc.record({
  title: some(...texts),
  count: some(-5, 0, 1, 7, 9_007_199_254_740_991),
  price: some('0.1', '0.10', '12.5', '-3', '1000000000000000000000.5'),
  good: some(true, false),
  day: some(...days),
  at: some(...moments),
  hour: some('00:00:00', '09:30:00', '23:59:59'),
  kind: some('red', 'green', 'gone'),
  tags: some(['a'], ['a', 'b'], ['c', "d'"], []),
});
const orders = fc.constantFrom('eq' as const, 'ne' as const, 'gt' as const, 'gte' as const, 'lt' as const, 'lte' as const);
const condition: fc.Arbitrary<RecordFilter> = fc.oneof(
  fc.record({ field: fc.constant('title'), op: fc.constantFrom('contains', 'notContains', 'starts', 'ends'), value: fc.constantFrom(...needles) }),
  fc.record({ field: fc.constantFrom('title', 'kind'), op: fc.constantFrom('eq', 'ne'), value: fc.constantFrom(...texts, 'red') }),
  fc.record({
    field: fc.constantFrom('title', 'kind'),
    op: fc.constantFrom('in', 'nin'),
    value: fc.array(fc.constantFrom(...texts, 'red', 'gone', null), { maxLength: 4 }),
  }),
  fc.record({ field: fc.constant('count'), op: orders, value: fc.constantFrom(0, 1, 6.5, '7', 9_007_199_254_740_991) }),
  fc.record({ field: fc.constant('count'), op: fc.constantFrom('in', 'nin'), value: fc.array(fc.constantFrom(0, 7, null), { maxLength: 3 }) }),
  fc.record({ field: fc.constant('price'), op: orders, value: fc.constantFrom('0.1', 12.5, -3, '0.100', 5) }),
  fc.record({ field: fc.constant('good'), op: fc.constantFrom('eq'), value: fc.boolean() }),
  fc.record({ field: fc.constant('day'), op: orders, value: fc.constantFrom(...days) }),
  fc.record({ field: fc.constant('at'), op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: fc.constantFrom(...days) }),
  fc.record({ field: fc.constant('hour'), op: orders, value: fc.constantFrom('00:00:00', '09:30:00') }),
  fc.record({
    field: fc.constant('tags'),
    op: fc.constantFrom('hasAny', 'hasAll', 'hasNone'),
    value: fc.array(fc.constantFrom('a', 'b', "d'"), { maxLength: 2 }),
  }),
  fc.record({ field: fc.constantFrom('title', 'count', 'price', 'good', 'day', 'at', 'hour', 'kind', 'tags'), op: fc.constantFrom('empty', 'notEmpty') }),
) as fc.Arbitrary<RecordFilter>;
const filters: fc.Arbitrary<RecordFilter> = fc.letrec<{ node: RecordFilter; leaf: RecordFilter }>((tie) => ({
  leaf: condition,
  node: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    tie('leaf'),
    fc.record({ and: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;

describe('filters of records', () => {
  it('find exactly what a second, plain evaluation finds', async () => {
    const { owner, site, path } = testTable;
    const values = fc.sample(recordValues, { numRuns: 150, seed: 20_261_120 });
    const ids = await putRecords(
      program,
      site.id,
      testTable,
      values.map((one) => ({ values: one })),
    );
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const found = await page(owner, path, { filter, limit: 1000, fields: '-' });
        const expected = ids.filter((_, at) => holds(filter, values[at] ?? {}));
        expect(found.rows.map((row) => row.id)).toEqual(expected);
      }),
      { numRuns: 250, seed: 5 },
    );
    await program.ctx.postgres.pool.query(`DELETE FROM s_${site.id}.${testTable.table.id}`);
  });

  it('resolve relative days in the zone of the site', async () => {
    const { owner, site, path } = testTable;
    const now = program.ctx.now();
    const shanghai = (later: number): string => new Date(now + 8 * 3_600_000 + later * 86_400_000).toISOString().slice(0, 10);
    await putRecords(
      program,
      site.id,
      testTable,
      [-8, -6, -1, 0, 1].map((by) => ({ values: { count: by, day: shanghai(by), at: `${shanghai(by)}T00:30:00+08:00` } })),
    );
    const found = async (filter: object) => (await page(owner, path, { filter, fields: 'count' })).rows.map((row) => row.values['count']);
    for (const field of ['day', 'at']) {
      expect(await found({ field, op: 'within', value: 'last7' })).toEqual([-6, -1, 0]);
      expect(await found({ field, op: 'within', value: 'yesterday' })).toEqual([-1]);
      expect(await found({ field, op: 'gte', value: '$today-1d' })).toEqual([-1, 0, 1]);
      expect(await found({ field, op: 'lt', value: '$today-1w' })).toEqual([-8]);
      expect(await found({ field, op: 'between', value: ['$today-6d', '$today'] })).toEqual([-6, -1, 0]);
    }
    expect(await found({ field: '$createdAt', op: 'gt', value: '$now-1h' })).toEqual([]);
    await program.ctx.postgres.pool.query(`DELETE FROM s_${site.id}.${testTable.table.id}`);
  });

  it('match system fields, the reader and publication states', async () => {
    const { owner, site, path } = testTable;
    const [first, second] = await putRecords(program, site.id, testTable, [{ values: { title: 'mine' }, by: owner.userId }, { values: { title: 'nobody’s' } }]);
    const found = async (filter: object) => (await page(owner, path, { filter, fields: '-' })).rows.map((row) => row.id);
    expect(await found({ field: '$createdBy', op: 'eq', value: '$user' })).toEqual([first]);
    expect(await found({ field: '$createdBy', op: 'empty' })).toEqual([second]);
    expect(await found({ field: '$id', op: 'in', value: [second] })).toEqual([second]);
    expect(await found({ field: '$state', op: 'eq', value: 'published' })).toEqual([first, second]);
    expect(await found({ field: '$n', op: 'gt', value: '99999999999999999999' })).toEqual([]);
    await program.ctx.postgres.pool.query(`DELETE FROM s_${site.id}.${testTable.table.id}`);
  });

  it('match values in the requested language, with the first as fallback', async () => {
    const { owner, site, path } = testTable;
    await putRecords(program, site.id, testTable, [{ values: { title: '红茶' }, tr: { en: { title: 'Black tea' } } }, { values: { title: '白茶' } }]);
    const found = async (value: string, locale?: string) =>
      (await page(owner, path, { filter: { field: 'title', op: 'contains', value }, locale })).rows.map((row) => row.values['title']);
    expect(await found('black', 'en')).toEqual(['Black tea']);
    expect(await found('红茶', 'en')).toEqual([]);
    expect(await found('白茶', 'en')).toEqual(['白茶']);
    expect(await found('红茶')).toEqual(['红茶']);
    await program.ctx.postgres.pool.query(`DELETE FROM s_${site.id}.${testTable.table.id}`);
  });

  it.each([
    [{ field: 'nothing', op: 'eq', value: 1 }, 'invalid_fields filter:unknown_field'],
    [{ field: 'id; drop table x', op: 'eq', value: 1 }, 'invalid_fields filter:unknown_field'],
    [{ field: '__proto__', op: 'eq', value: 1 }, 'invalid_fields filter:unknown_field'],
    [{ field: 'toString', op: 'empty' }, 'invalid_fields filter:unknown_field'],
    [{ field: 'count', op: 'contains', value: '1' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'count', op: 'eq', value: '1; drop' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'count', op: 'gt' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'count', op: 'between', value: [1] }, 'invalid_fields filter:wrong_type'],
    [{ field: 'day', op: 'eq', value: '2026-02-30' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'at', op: 'within', value: 'someday' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'good', op: 'eq', value: 'true' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'title', op: 'eq', value: true }, 'invalid_fields filter:wrong_type'],
    [{ field: 'title', op: 'some', value: { and: [] } }, 'invalid_fields filter:wrong_type'],
    [{ field: '$createdBy', op: 'eq', value: 'me' }, 'invalid_fields filter:wrong_type'],
    [{ field: 'secret', op: 'starts', value: '$argon' }, 'invalid_fields filter:wrong_type'],
    [{ not: { not: { not: { not: { field: 'count', op: 'empty' } } } } }, 'invalid_fields filter:too_long'],
    [{ and: Array.from({ length: 51 }, () => ({ field: 'count', op: 'empty' })) }, 'invalid_fields filter:too_long'],
  ])('refuses %.90j', async (filter, expected) => {
    expect(await refusal(testTable.owner, `${testTable.path}/records`, { filter })).toBe(expected);
  });

  it('accept extreme numbers and dates, and long lists', async () => {
    const { owner, path } = testTable;
    for (const filter of [
      { field: 'count', op: 'lt', value: '1e300' },
      { field: 'price', op: 'gt', value: `-${'9'.repeat(1500)}` },
      { field: 'at', op: 'lte', value: '9999-12-31' },
      { field: 'at', op: 'gte', value: '0001-01-01' },
      { field: 'title', op: 'in', value: Array.from({ length: 900 }, (_, n) => `t${n}`) },
      { field: 'title', op: 'contains', value: '%'.repeat(2000) },
    ])
      expect((await page(owner, path, { filter })).rows).toEqual([]);
  });
});

describe('searching in records', () => {
  it('finds exactly the records that contain all words', async () => {
    const { owner, site, path } = testTable;
    const characters = fc.constantFrom(...Array.from('红茶叶绿白 a1é-'));
    const titleArbitrary = fc.array(characters, { maxLength: 12 }).map((all) => all.join(''));
    const titles = fc.sample(titleArbitrary, { numRuns: 200, seed: 9 });
    const ids = await putRecords(
      program,
      site.id,
      testTable,
      titles.map((title) => ({ values: { title } })),
    );
    const plain = (text: string): string => text.replaceAll('é', 'e');
    /** Chinese matches anywhere in the text, other words at the beginning of a word; a mixed word must also appear as typed. */
    const has = (title: string, word: string): boolean => {
      const parts = word.match(/[红茶叶绿白]+|[a1é]+/g) ?? [];
      const begins = (part: string): boolean => (title.match(/[a1é]+/g) ?? []).some((own) => plain(own).startsWith(plain(part)));
      const each = parts.every((part) => (/[红茶叶绿白]/.test(part) ? title.includes(part) : begins(part)));
      const mixed = parts.length > 1 && parts.some((part) => /[红茶叶绿白]/.test(part));
      return each && (!mixed || title.includes(word));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(characters, { minLength: 1, maxLength: 6 }), async (typed) => {
        const q = typed.join('').trim();
        fc.pre(/[红茶叶绿白a1é]/.test(q));
        const searchTerms = q.split(' ').filter((word) => /[红茶叶绿白a1é]/.test(word));
        const found = await page(owner, path, { q, limit: 1000, fields: '-' });
        expect(found.rows.map((row) => row.id)).toEqual(ids.filter((_, at) => searchTerms.every((word) => has(titles[at] ?? '', word))));
      }),
      { numRuns: 150, seed: 3 },
    );
    await program.ctx.postgres.pool.query(`DELETE FROM s_${site.id}.${testTable.table.id}`);
  });

  it('covers translations, rich text, choices, tags and text beyond the index', async () => {
    const { owner, site, path } = testTable;
    const long = `${Array.from({ length: 21_000 }, (_, n) => `w${n}`).join(' ')} 结尾处`;
    const [first, second, third] = await putRecords(program, site.id, testTable, [
      { values: { title: '甲', kind: 'green', tags: ['明前', 'Longjing'] }, tr: { en: { title: 'Dragon well' } } },
      { values: { body: '<p>碧<b>螺</b>春</p><p>雨前</p>', mail: 'lin@example.com' } },
      { values: { title: long } },
    ]);
    const found = async (q: string) => (await page(owner, path, { q, fields: '-' })).rows.map((row) => row.id);
    expect(await found('dragon')).toEqual([first]);
    expect(await found('明前')).toEqual([first]);
    expect(await found('green 甲')).toEqual([first]);
    expect(await found('碧螺春')).toEqual([second]);
    expect(await found('春雨')).toEqual([]);
    expect(await found('EXAMPLE')).toEqual([second]);
    expect(await found('结尾处')).toEqual([third]);
    expect(await found('w20999')).toEqual([third]);
    expect(await found("'; DROP TABLE x; --")).toEqual([]);
    expect(await found('🙂')).toEqual([]);
    // While the index is rebuilt, the texts themselves are searched.
    const { pool } = program.ctx.postgres;
    await pool.query(`UPDATE s_${site.id}.${testTable.table.id} SET q = NULL`);
    expect(await found('碧螺春')).toEqual([]);
    await pool.query(`UPDATE content_tables SET pending = '{"search":1}' WHERE id = $1`, [testTable.table.id]);
    await pool.query('UPDATE content_sites SET revision = revision + 1 WHERE site_id = $1', [site.id]);
    expect(await found('碧螺春')).toEqual([second]);
    expect(await found('well dragon')).toEqual([first]);
    expect((await page(owner, path, { filter: { field: 'title', op: 'contains', value: '结尾' } })).rows.map((row) => row.id)).toEqual([third]);
    await program.ctx.postgres.pool.query(`DELETE FROM s_${site.id}.${testTable.table.id}`);
  });
});
