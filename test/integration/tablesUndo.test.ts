import fc from 'fast-check';
import { siteModel } from '../../server/areas/tables/core/model';
import type { SiteModel } from '../../server/areas/tables/core/model';
import { historyTable, linksTable, newRecordId, publishedTable, recordsTable } from '../../server/areas/tables/core/ids';
import { inWrite, writeBatch } from '../../server/areas/tables/core/write';
import type { TableContext } from '../../server/areas/tables/core/tableContext';
import type { Change } from '../../server/areas/tables/core/write';
import { lockBatch, undoBatch } from '../../server/areas/tables/core/write/undo';
import { Failure } from '../../server/http/failure';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { caseCounts } from '../support/caseCounts';

let program: TestApp;
let people: Tabled;
let articles: MadeTable;
let model: SiteModel;

beforeAll(async () => {
  program = await makeTestApp();
  people = await makeTabled(program, [{ key: 'name', type: 'text' }], { title: '人' });
  articles = await addTestTable(
    people.owner,
    people.site.id,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'code', type: 'text', unique: true },
      { key: 'price', type: 'number' },
      { key: 'tags', type: 'tags' },
      { key: 'done', type: 'switch' },
      { key: 'at', type: 'datetime' },
      { key: 'where', type: 'geo' },
      { key: 'author', type: 'relation', options: { to: people.table.id } },
      { key: 'editors', type: 'relations', options: { to: people.table.id }, inverseTitle: '文章' },
    ],
    { title: '文章', drafts: true, locales: ['zh-Hans', 'en'] },
  );
  model = await siteModel(program.ctx, people.site.id);
});
afterAll(() => program.close());

const sceneOf = (id: string): TableContext => {
  const table = model.tables.find((one) => one.id === id);
  if (!table) throw new Error('no such table');
  return { model, table, reader: { role: 'admin', userId: people.owner.userId }, timeZone: 'Asia/Shanghai' };
};
const write = (table: string, changes: readonly Change[], locale?: string): Promise<string | null> =>
  inWrite(program.ctx, null, async (w) => (await writeBatch(w, sceneOf(table), changes, { origin: 'console', locale, errors: 'collect' })).batchId);
const undo = (batchId: string): Promise<{ batchId: string | null; skipped: readonly unknown[] }> =>
  inWrite(program.ctx, null, async (w) => undoBatch(w, sceneOf(articles.table.id), await lockBatch(w, people.site.id, batchId)));

/** Everything visible of both tables: values, translations, links, order, states and published versions. */
async function picture(): Promise<unknown> {
  const ask = async (text: string): Promise<unknown[]> => (await program.ctx.postgres.pool.query<Record<string, unknown>>(text)).rows;
  const site = people.site.id;
  const of = async (id: string): Promise<unknown> => {
    const { table } = sceneOf(id);
    const links = table.fields.filter((field) => field.type === 'relations').map((field) => linksTable(site, field.id));
    const published = table.drafts ? await ask(`SELECT to_jsonb(p) - 'q' AS row FROM ${publishedTable(site, id)} p ORDER BY p.id`) : [];
    return {
      records: await ask(
        `SELECT to_jsonb(t) - '{rev,published_rev,updated_at,updated_by}'::text[] AS row,
           CASE WHEN published_rev IS NULL THEN 'draft' WHEN published_rev = rev THEN 'published' ELSE 'changed' END AS state
         FROM ${recordsTable(site, id)} t WHERE deleted_at IS NULL ORDER BY t.id`,
      ),
      links: await Promise.all(
        links.map((name) =>
          ask(
            `SELECT a, array_agg(b ORDER BY ord, b) AS list FROM ${name} WHERE a IN (SELECT id FROM ${recordsTable(site, id)} WHERE deleted_at IS NULL) GROUP BY a ORDER BY a`,
          ),
        ),
      ),
      published,
    };
  };
  return [await of(people.table.id), await of(articles.table.id)];
}
const idsOf = async (table: string, bin: boolean): Promise<string[]> =>
  (
    await program.ctx.postgres.pool.query<{ id: string }>(
      `SELECT id FROM ${recordsTable(people.site.id, table)} WHERE deleted_at IS ${bin ? 'NOT NULL' : 'NULL'} ORDER BY n`,
    )
  ).rows.map(({ id }) => id);

const text = fc.constantFrom('', '红茶', 'tea', 'É', '\u{1F375}', "o'clock");
const values = fc.record(
  {
    title: text,
    code: fc.constantFrom(null, 'a', 'b', 'c', 'd'),
    price: fc.constantFrom(null, '0', '-12.50', '99999999999999999999.25'),
    tags: fc.subarray(['新', '旧', 'x,y', '"q"']),
    done: fc.constantFrom(null, true, false),
    at: fc.constantFrom(null, '2026-11-20T01:02:03.004Z', '2026-11-20T09:02:03+08:00'),
    where: fc.constantFrom(null, { lat: 31.2, lng: 121.5 }),
  },
  { requiredKeys: [] },
);
const picks = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), list: fc.array(values, { minLength: 1, maxLength: 3 }), picks }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), list: fc.array(values, { minLength: 1, maxLength: 3 }), picks }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('translate' as const), list: fc.array(values, { minLength: 1, maxLength: 2 }), picks }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('links', 'inverse', 'author', 'person'), list: fc.constant([{}]), picks }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('trash', 'restore', 'publish', 'unpublish', 'move', 'schedule'), list: fc.constant([{}]), picks }) },
);
type Step = { readonly do: string; readonly list: readonly Record<string, unknown>[]; readonly picks: readonly number[] };

async function take({ do: what, list, picks: chosen }: Step): Promise<string | null> {
  const [own, bin, persons] = await Promise.all([idsOf(articles.table.id, false), idsOf(articles.table.id, true), idsOf(people.table.id, false)]);
  const from = (some: readonly string[]): string[] => (some.length === 0 ? [] : [...new Set(chosen.map((at) => some[at % some.length] ?? ''))]);
  const each = (some: readonly string[], changeOf: (id: string, at: number) => Change): Change[] => from(some).map(changeOf);
  const { id } = articles.table;
  const inverse = sceneOf(people.table.id).table.fields.find((field) => field.type === 'inverse')?.id ?? '';
  switch (what) {
    case 'create':
      return write(
        id,
        list.map((one) => ({ kind: 'create', values: one })),
      );
    case 'person':
      return write(people.table.id, [{ kind: 'create', values: { name: '林' } }]);
    case 'update':
    case 'translate':
      return write(
        id,
        each(own, (one, at) => ({
          kind: 'update',
          id: one,
          values: what === 'update' ? (list[at % list.length] ?? {}) : { title: list[at % list.length]?.title ?? null },
        })),
        what === 'translate' ? 'en' : undefined,
      );
    case 'links':
      return write(
        id,
        each(own, (one) => ({ kind: 'update', id: one, values: { editors: from(persons) } })),
      );
    case 'inverse':
      return write(
        people.table.id,
        each(persons, (one) => ({ kind: 'update', id: one, values: { [inverse]: from(own) } })),
      );
    case 'author':
      return write(
        id,
        each(own, (one) => ({ kind: 'update', id: one, values: { author: from(persons)[0] ?? null } })),
      );
    case 'restore':
      return write(
        id,
        each(bin, (one) => ({ kind: 'restore', id: one })),
      );
    case 'move':
      return write(
        id,
        each(own, (one, at) => ({ kind: 'move', id: one, ord: `${chosen[at] ?? 0}.5` })),
      );
    case 'schedule':
      return write(
        id,
        each(own, (one) => ({ kind: 'schedule', id: one, publishAt: new Date(1_800_000_000_000 + (chosen[0] ?? 0)), unpublishAt: null })),
      );
    case 'trash':
    case 'publish':
    case 'unpublish':
      return write(
        id,
        each(own, (one) => ({ kind: what, id: one })),
      );
    default:
      throw new Error(what);
  }
}

async function forget(): Promise<void> {
  const site = people.site.id;
  const links = articles.f.editors ?? '';
  const names = [
    recordsTable(site, people.table.id),
    recordsTable(site, articles.table.id),
    publishedTable(site, articles.table.id),
    linksTable(site, links),
    historyTable(site),
  ];
  await program.ctx.postgres.pool.query(`TRUNCATE ${names.join(', ')}`);
}

test('undoing any edits in reverse restores the table, and redo repeats them', async () => {
  const cases = caseCounts('undone', 'redone');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), async (steps) => {
      await forget();
      const done: { batchId: string; before: unknown; after: unknown }[] = [];
      for (const one of steps) {
        const before = await picture();
        const batchId = await take(one);
        if (batchId !== null) done.push({ batchId, before, after: await picture() });
      }
      const undone: { batchId: string; after: unknown }[] = [];
      for (const { batchId, before, after } of done.toReversed()) {
        const answer = await undo(batchId);
        expect(answer.skipped).toEqual([]);
        expect(await picture()).toEqual(before);
        cases.count('undone');
        if (answer.batchId !== null) undone.push({ batchId: answer.batchId, after });
      }
      for (const { batchId, after } of undone.toReversed()) {
        expect((await undo(batchId)).skipped).toEqual([]);
        expect(await picture()).toEqual(after);
        cases.count('redone');
      }
    }),
    { numRuns: 60, endOnFailure: false },
  );
  cases.expectAtLeast(30);
}, 60_000);

test('undo skips later changes of others and reports them', async () => {
  await forget();
  const { id } = articles.table;
  const [a, b] = [newRecordId(Date.now()), newRecordId(Date.now() + 1)];
  const creationBatchId = await write(id, [
    { kind: 'create', id: a, values: { title: '一', price: '1' } },
    { kind: 'create', id: b, values: { title: '二', price: '2' } },
  ]);
  const edited = await write(id, [
    { kind: 'update', id: a, values: { title: '甲', price: '10' } },
    { kind: 'update', id: b, values: { title: '乙' } },
  ]);
  await write(id, [{ kind: 'update', id: a, values: { price: '11' } }]);
  expect(await undo(edited ?? '')).toMatchObject({ undone: 2, skipped: [{ recordId: a, field: articles.f.price }] });
  // The first batch created both: one is unchanged, the other has been edited.
  expect(await undo(creationBatchId ?? '')).toMatchObject({ undone: 1, skipped: [{ recordId: a, field: null }] });
  expect(await idsOf(id, false)).toEqual([a]);
  await expect(undo(creationBatchId ?? '')).rejects.toBeInstanceOf(Failure);
});

test('unique values can rotate between records in one write, and undo', async () => {
  const { id } = articles.table;
  const code = articles.f.code ?? '';
  const [a, b, c, d] = [newRecordId(1), newRecordId(2), newRecordId(3), newRecordId(4)] as const;
  const codes = async (): Promise<unknown[]> =>
    (
      await program.ctx.postgres.pool.query<{ code: unknown }>(
        `SELECT ${code} AS code FROM ${recordsTable(people.site.id, id)} WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id`,
        [[a, b, c, d]],
      )
    ).rows.map((row) => row.code);
  const set = (record: string, value: string, more: object = {}): Change => ({ kind: 'update', id: record, values: { code: value, ...more } });
  await write(
    id,
    [a, b, c].map((record, at): Change => ({ kind: 'create', id: record, values: { code: `ring-${at}` } })),
  );
  const swapped = await write(id, [set(a, 'ring-1'), set(b, 'ring-0')]);
  expect(await codes()).toEqual(['ring-1', 'ring-0', 'ring-2']);
  // A rotation of three, whose first value goes to a new record.
  const round = await write(id, [{ kind: 'create', id: d, values: { code: 'ring-1' } }, set(a, 'ring-0'), set(b, 'ring-2'), set(c, 'ring-9')]);
  expect(await codes()).toEqual(['ring-0', 'ring-2', 'ring-9', 'ring-1']);
  expect((await undo(round ?? '')).skipped).toEqual([]);
  expect(await codes()).toEqual(['ring-1', 'ring-0', 'ring-2']);
  const back = await undo(swapped ?? '');
  expect(back.skipped).toEqual([]);
  expect(await codes()).toEqual(['ring-0', 'ring-1', 'ring-2']);
  await undo(back.batchId ?? '');
  expect(await codes()).toEqual(['ring-1', 'ring-0', 'ring-2']);
  // A record whose own change is refused does not give up its value, and neither do those waiting for it.
  await write(id, [set(a, 'ring-0'), set(b, 'ring-2'), set(c, 'ring-5', { price: 'no number' })]);
  expect(await codes()).toEqual(['ring-1', 'ring-0', 'ring-2']);
});

test('undo does not take a value from another record', async () => {
  await forget();
  const { id } = articles.table;
  const [a, b] = [newRecordId(Date.now()), newRecordId(Date.now() + 1)];
  await write(id, [{ kind: 'create', id: a, values: { code: 'x' } }]);
  const thrown = await write(id, [{ kind: 'trash', id: a }]);
  await write(id, [{ kind: 'create', id: b, values: { code: 'x' } }]);
  expect(await undo(thrown ?? '')).toMatchObject({ undone: 0, batchId: null, skipped: [{ recordId: a, field: null }] });
});
