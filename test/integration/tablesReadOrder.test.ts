import fc from 'fast-check';
import type { RecordPage } from '../../contract/tables/records';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';
import { page, position, putRecords, recordId, refusal } from './tablesReadSupport';

let program: TestApp;
let testTable: Tabled;
let ids: string[];
const values: Record<string, unknown>[] = [];
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'count', type: 'integer', indexed: true },
      { key: 'price', type: 'number' },
      { key: 'good', type: 'switch' },
      { key: 'day', type: 'date' },
      { key: 'at', type: 'datetime' },
      {
        key: 'kind',
        type: 'select',
        options: {
          choices: [
            { id: 'z', title: '一' },
            { id: 'a', title: '二' },
            { id: 'm', title: '三' },
          ],
        },
      },
      { key: 'tags', type: 'tags' },
      { key: 'secret', type: 'password' },
    ],
    { locales: ['zh-Hans', 'en'] },
  );
  const some = <T>(...all: T[]) => fc.option(fc.constantFrom(...all), { nil: null });
  values.push(
    ...fc.sample(
      fc.record({
        title: some('阿', '李', '钱', '孙', '赵', 'b', 'A', ''),
        count: some(1, 2, 3, -7),
        price: some('1.10', '1.1', '-2.5', '100000000000000000000'),
        good: some(true, false),
        day: some('2026-01-01', '2026-01-02'),
        at: some('2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123457Z', '1999-05-05T05:05:05Z'),
        kind: some('z', 'a', 'm', 'gone'),
      }),
      { numRuns: 130, seed: 77 },
    ),
  );
  ids = await putRecords(
    program,
    testTable.site.id,
    testTable,
    // Some records share a position.
    values.map((one, at) => ({ values: one, ord: String(Math.floor(at / 3)), ...(at % 5 === 0 ? { tr: { en: { title: `e${at % 10}` } } } : {}) })),
  );
});
afterAll(() => program.close());

/** All pages of a query, one after the other. */
async function walk(query: Record<string, string | number>, limit: number, between?: () => Promise<unknown>): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 500; pages++) {
    const found: RecordPage = await page(testTable.owner, testTable.path, { ...query, limit, fields: '-', ...(cursor === null ? {} : { cursor }) });
    all.push(...found.rows.map((row) => row.id));
    expect(found.rows.length <= limit).toBe(true);
    if (found.next === null) return all;
    ({ next: cursor } = found);
    await between?.();
  }
  throw new Error('no end');
}

const sorts = [
  'title',
  '-title',
  'count',
  '-count',
  'price',
  '-price',
  'good',
  '-day',
  'at',
  '-at',
  'kind',
  '-kind',
  '$n',
  '-$createdAt',
  '$state',
  '-$updatedAt',
  '$createdBy',
];
describe('orders of records', () => {
  it.each([...sorts, 'kind,-count', '-good,title,-price', 'day,-at,kind,-count,title'])(
    'cursor pages under %s cover every record once, in order',
    async (sort) => {
      const whole = (await page(testTable.owner, testTable.path, { sort, limit: 1000, fields: '-' })).rows.map((row) => row.id);
      expect([...whole].toSorted()).toEqual([...ids].toSorted());
      expect(await walk({ sort }, 7)).toEqual(whole);
      const jumped = await page(testTable.owner, testTable.path, { sort, limit: 10, offset: 55, fields: '-' });
      expect(jumped.rows.map((row) => row.id)).toEqual(whole.slice(55, 65));
    },
  );

  it('empty values sort last, choices in their order, ties by position', async () => {
    const at = new Map(ids.map((id, index) => [id, index]));
    for (const sort of ['count', '-count', 'kind', '-kind', 'price', '-price']) {
      const key = sort.replace('-', '');
      const rank = (index: number): number | null => {
        const own = values[index]?.[key] ?? null;
        if (key === 'kind') return own === null || own === 'gone' ? null : ['z', 'a', 'm'].indexOf(own as string);
        return own === null ? null : Number(own);
      };
      const expected = ids.toSorted((a, b) => {
        const [x, y] = [at.get(a) ?? 0, at.get(b) ?? 0];
        const [p, q] = [rank(x), rank(y)];
        if (p !== q) return p === null ? 1 : q === null ? -1 : sort.startsWith('-') ? q - p : p - q;
        const [group, other] = [Math.floor(x / 3), Math.floor(y / 3)];
        return group === other ? (a < b ? -1 : 1) : group - other;
      });
      expect(await walk({ sort }, 50)).toEqual(expected);
    }
  });

  it('Chinese names sort as Chinese readers expect', async () => {
    const titles = async (query: Record<string, string>) =>
      (await page(testTable.owner, testTable.path, { sort: 'title', limit: 1000, fields: 'title', ...query })).rows.map((row) => row.values['title']);
    const plain = [...new Set(await titles({}))].filter((title) => typeof title === 'string' && title > '一');
    expect(plain).toEqual(['阿', '李', '钱', '孙', '赵']);
    expect((await titles({ locale: 'en' })).filter((title) => typeof title === 'string' && title.startsWith('e'))).toEqual([
      ...Array<string>(13).fill('e0'),
      ...Array<string>(13).fill('e5'),
    ]);
  });

  it('paging stays complete while records are added and removed', async () => {
    const added: string[] = [];
    const walked = await walk({ sort: '-count' }, 9, async () => {
      added.push(...(await putRecords(program, testTable.site.id, testTable, [{ values: { count: 99, title: 'new' } }, { values: { title: 'new' } }])));
    });
    expect(new Set(walked).size).toBe(walked.length);
    expect(ids.every((id) => walked.includes(id))).toBe(true);
    await program.ctx.postgres.pool.query(`DELETE FROM s_${testTable.site.id}.${testTable.table.id} WHERE id = ANY($1)`, [added]);
  });

  it('a position is the number of records before a record', async () => {
    for (const sort of sorts) {
      const whole = (await page(testTable.owner, testTable.path, { sort, limit: 1000, fields: '-' })).rows.map((row) => row.id);
      for (const place of [0, 40, 129]) expect(await position(testTable.owner, testTable.path, whole[place] ?? '', { sort })).toBe(place);
    }
    const filter = { field: 'count', op: 'eq', value: 2 };
    const outside = ids.find((_, at) => values[at]?.['count'] !== 2) ?? '';
    expect(await position(testTable.owner, testTable.path, outside, { filter })).toBeNull();
    expect(await position(testTable.owner, testTable.path, recordId())).toBeNull();
  });

  it('distant pages equal the same range of one long page', async () => {
    const more = await putRecords(
      program,
      testTable.site.id,
      testTable,
      Array.from({ length: 700 }, (_, at) => ({ values: { count: at % 9, title: `t${at}` }, ord: '1000' })),
    );
    const whole = (await page(testTable.owner, testTable.path, { sort: '-count', limit: 1000 })).rows;
    const far = await page(testTable.owner, testTable.path, { sort: '-count', limit: 20, offset: 600 });
    expect(far.rows).toEqual(whole.slice(600, 620));
    expect(far.next).not.toBeNull();
    expect((await page(testTable.owner, testTable.path, { sort: '-count', limit: 20, offset: 5000 })).rows).toEqual([]);
    await program.ctx.postgres.pool.query(`DELETE FROM s_${testTable.site.id}.${testTable.table.id} WHERE id = ANY($1)`, [more]);
  });

  it('totals are capped at ten thousand or exact, on request', async () => {
    expect(await page(testTable.owner, testTable.path, { limit: 5 })).toMatchObject({ total: null, more: false });
    expect(await page(testTable.owner, testTable.path, { limit: 5, count: 'capped' })).toMatchObject({ total: 130, more: false });
    expect(await page(testTable.owner, testTable.path, { limit: 5, count: 'exact', filter: { field: 'good', op: 'empty' } })).toMatchObject({
      total: values.filter((one) => one['good'] === null).length,
    });
    const { siteId, id } = { siteId: testTable.site.id, id: testTable.table.id };
    await program.ctx.postgres.pool.query(
      `INSERT INTO s_${siteId}.${id} (id, n, ord, created_at, updated_at) SELECT gen_random_uuid(), 100000 + n, 100000 + n, now(), now() FROM generate_series(1, 10000) n`,
    );
    expect(await page(testTable.owner, testTable.path, { limit: 5, count: 'capped' })).toMatchObject({ total: 10_000, more: true });
    expect(await page(testTable.owner, testTable.path, { limit: 5, count: 'exact' })).toMatchObject({ total: 10_130, more: false });
    await program.ctx.postgres.pool.query(`DELETE FROM s_${siteId}.${id} WHERE n > 100000`);
  });

  it('foreign, forged and broken cursors are refused', async () => {
    const { next } = await page(testTable.owner, testTable.path, { sort: 'count', limit: 3 });
    const records = `${testTable.path}/records`;
    const opened = JSON.parse(Buffer.from(next ?? '', 'base64url').toString('utf8')) as unknown[];
    const forged = (change: (parts: unknown[]) => unknown): string => Buffer.from(JSON.stringify(change([...opened]))).toString('base64url');
    for (const [sort, cursor] of [
      ['-count', next ?? ''],
      ['title', next ?? ''],
      ['count', 'nonsense'],
      ['count', forged((parts) => parts.slice(1))],
      ['count', forged((parts) => parts.with(3, '1; DROP TABLE x'))],
      ['count', forged((parts) => parts.with(3, { a: 1 }))],
      ['count', forged((parts) => parts.with(1, '1 OR 1=1'))],
      ['count', forged((parts) => parts.with(2, '-'.repeat(36)))],
      ['count', forged((parts) => Object.fromEntries(parts.entries()))],
    ])
      expect(await refusal(testTable.owner, records, { sort, cursor })).toBe('invalid_fields cursor:pattern');
  });

  it.each(['tags', 'secret', 'nothing', 'constructor', '$tr'])('sorting by %s is refused', async (sort) => {
    expect(await refusal(testTable.owner, `${testTable.path}/records`, { sort })).toMatch(/^invalid_fields sort:(wrong_type|unknown_field)$/);
  });
});
