import { randomBytes } from 'node:crypto';
import type { RecordFilter } from '../../contract/tables/recordFilter';
import { columnOf } from '../../contract/tables/terms';
import type { AggregateResult, ContentRecord, RecordPage } from '../../contract/tables/records';
import type { RuleRole } from '../../contract/tables/terms';
import { searchVector } from '../../server/areas/tables/core/search';
import { contentRules } from '../../server/areas/tables/core/schema';
import type { Browser, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';

/** Columns of a record besides its values. */
type Extra = {
  readonly id?: string;
  readonly tr?: Record<string, Record<string, unknown>>;
  readonly ord?: string;
  readonly deleted?: boolean;
  readonly by?: string;
  readonly publishedRev?: number;
  readonly createdAt?: string;
};
export type Row = { readonly values: Readonly<Record<string, unknown>> } & Extra;

/** An id like those of records: v7, in order of creation. */
let sequence = 0;
export function recordId(): string {
  const hex = `${(Date.now() * 4096 + sequence++).toString(16).padStart(15, '0').slice(-15)}${randomBytes(9).toString('hex')}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
}

/** Inserts records into a table by SQL, in stored form: values by key. Returns their ids. */
export async function putRecords(program: TestApp, siteId: string, { table, f }: MadeTable, rows: readonly Row[]): Promise<string[]> {
  const { pool } = program.ctx.postgres;
  const stored = table.fields.filter((field) => columnOf[field.type] !== 'none');
  const name = `s_${siteId}.${table.id}`;
  const byId = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [f[key] ?? key, value]));
  const { rows: numbers } = await pool.query<{ n: string }>(`SELECT nextval('s_${siteId}.n_${table.id.slice(2)}') AS n FROM generate_series(1, $1)`, [
    rows.length,
  ]);
  const inputRows = rows.map(({ values, id = recordId(), tr, ord, deleted, by, publishedRev, createdAt }, at) => {
    const n = Number(numbers[at]?.n);
    const own = byId(values);
    const translated = tr && Object.fromEntries(Object.entries(tr).map(([locale, part]) => [locale, byId(part)]));
    return {
      ...own,
      id,
      n,
      ord: ord ?? String(n),
      q: searchVector(table.fields, own, translated ?? null),
      tr: translated ?? null,
      deleted_at: deleted ? new Date().toISOString() : null,
      created_by: by ?? null,
      published_rev: publishedRev ?? null,
      created_at: createdAt ?? new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    };
  });
  const columns = ['id', 'n', 'ord', 'created_at', 'created_by', 'deleted_at', 'published_rev', 'tr', ...stored.map((field) => field.id)];
  const types = stored.map((field) => `, ${field.id} ${columnOf[field.type]}`).join('');
  await pool.query(
    `INSERT INTO ${name} (${columns.join(', ')}, q, updated_at) SELECT ${columns.map((column) => `x.${column}`).join(', ')}, x.q::tsvector, now()
     FROM json_to_recordset($1::json) AS x(id uuid, n bigint, ord numeric, created_at timestamptz, created_by uuid, deleted_at timestamptz, published_rev int, tr jsonb, q text${types})`,
    [JSON.stringify(inputRows)],
  );
  return inputRows.map((one) => one.id);
}

export async function link(program: TestApp, siteId: string, fieldId: string, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await program.ctx.postgres.pool.query(
    `INSERT INTO s_${siteId}.l_${fieldId.slice(2)} (a, b, ord) SELECT a, b, n FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS x(a, b, n)`,
    [pairs.map(([a]) => a), pairs.map(([, b]) => b)],
  );
}

/** Creates an access rule as an administrator. */
export async function rule(
  program: TestApp,
  siteId: string,
  tableId: string,
  role: RuleRole,
  ruleInput: { readonly allowed?: boolean; readonly fields?: string[]; readonly filter?: RecordFilter; readonly action?: 'read' | 'delete' },
): Promise<void> {
  const { db } = program.ctx.postgres;
  await db.insert(contentRules).values({
    siteId,
    tableId,
    role,
    action: ruleInput.action ?? 'read',
    allowed: ruleInput.allowed ?? true,
    fields: ruleInput.fields ?? null,
    filter: ruleInput.filter ?? null,
  });
  await db.execute(`UPDATE content_sites SET revision = revision + 1 WHERE site_id = '${siteId}'`);
}

type Query = Record<string, string | number | undefined | object>;
const written = (query: Query): string =>
  Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))}`)
    .join('&');
export const getWithQuery = (by: Browser, path: string, query: Query = {}) => by.get(`${path}?${written(query)}`);
async function answerOf<T>(by: Browser, path: string, query: Query): Promise<T> {
  const answer = await getWithQuery(by, path, query);
  if (answer.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ data: T }>().data;
}
export const page = (by: Browser, path: string, query: Query = {}) => answerOf<RecordPage>(by, `${path}/records`, query);
export const figures = (by: Browser, path: string, query: Query = {}) => answerOf<AggregateResult>(by, `${path}/aggregate`, query);
export const record = (by: Browser, path: string, id: string, query: Query = {}) =>
  answerOf<ContentRecord & { labels: RecordPage['labels'] }>(by, `${path}/records/${id}`, query);
export const position = async (by: Browser, path: string, id: string, query: Query = {}) =>
  (await answerOf<{ before: number | null }>(by, `${path}/records/${id}/position`, query)).before;
/** How a query is refused: its code and the codes of its fields. */
export async function refusal(by: Browser, path: string, query: Query = {}): Promise<string> {
  const answer = await getWithQuery(by, path, query);
  const { code, fields } = answer.json<{ code?: string; fields?: Record<string, { code: string }> }>();
  return `${code ?? answer.statusCode}${
    fields
      ? ` ${Object.entries(fields)
          .map(([name, error]) => `${name}:${error.code}`)
          .join(',')}`
      : ''
  }`;
}

/** A table with a field of most types, linked to one of people, of whom two are live. */
export async function makeLinkedTables(program: TestApp): Promise<{ testTable: Tabled; people: MadeTable; authors: string[] }> {
  const articles = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'body', type: 'richText', localized: true },
      { key: 'count', type: 'integer' },
      { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2 } },
      { key: 'share', type: 'percent' },
      { key: 'good', type: 'switch' },
      { key: 'day', type: 'date' },
      { key: 'at', type: 'datetime' },
      { key: 'hour', type: 'time' },
      {
        key: 'kind',
        type: 'select',
        options: {
          choices: [
            { id: 'z', title: '一' },
            { id: 'a', title: '二' },
          ],
        },
      },
      { key: 'tags', type: 'tags' },
      { key: 'place', type: 'geo' },
      { key: 'pictures', type: 'image' },
      { key: 'secret', type: 'password' },
      { key: 'owner', type: 'user' },
    ],
    { locales: ['zh-Hans', 'en'] },
  );
  const people = await addTestTable(
    articles.owner,
    articles.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'age', type: 'integer' },
    ],
    { title: '作者' },
  );
  const add = async (path: string, field: object): Promise<string> => {
    const answer = await articles.owner.send('POST', `${path}/fields`, field);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const { data } = answer.json<{ data: { id: string; fields?: { id: string; key: string }[] } }>();
    return data.fields?.find((one) => one.key === (field as { key: string }).key)?.id ?? data.id;
  };
  const author = await add(articles.path, { key: 'author', title: '作者', type: 'relation', options: { to: people.table.id } });
  const readers = await add(articles.path, { key: 'readers', title: '读者', type: 'relations', options: { to: people.table.id } });
  const works = await add(people.path, { key: 'works', title: '作品', type: 'inverse', options: { of: author } });
  const reads = await add(people.path, { key: 'reads', title: '读过', type: 'inverse', options: { of: readers } });
  const testTable: Tabled = {
    ...articles,
    table: { ...articles.table, fields: [...articles.table.fields, ...([{ id: author, key: 'author', type: 'relation' }] as never[])] },
    f: { ...articles.f, author, readers },
  };
  const authors = await putRecords(program, articles.site.id, people, [
    { values: { name: '林', age: 30 } },
    { values: { name: '陈', age: 50 } },
    { values: { name: '王' }, deleted: true },
  ]);
  return { testTable, people: { ...people, f: { ...people.f, works, reads } }, authors };
}
