import { columnOf } from '../../contract/tables/terms';
import type { ContentTable, SchemaChange } from '../../contract/tables/schemas';
import { textCollation } from '../../server/areas/tables/core/ddl';
import { readModel } from '../../server/areas/tables/core/model';
import type { Browser, TestApp } from '../support/app';

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Refusal = { readonly code: string; readonly fields?: Record<string, { readonly code: string; readonly max?: number }>; readonly current?: ContentTable };

/** Calls on the tables of one site. `revision` becomes If-Match. */
export function designer(by: Browser, siteId: string) {
  const base = `/api/site/${siteId}/table`;
  const headers = (revision?: number) => (revision === undefined ? {} : { 'if-match': `"${revision}"` });
  return {
    base,
    async send<T = ContentTable>(method: Method, path: string, body?: object, revision?: number): Promise<T> {
      const answer = await by.send(method, `${base}${path}`, body, headers(revision));
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
      return answer.statusCode === 204 ? (undefined as T) : answer.json<{ data: T }>().data;
    },
    async refused(method: Method, path: string, body?: object, revision?: number): Promise<Refusal & { readonly status: number }> {
      const answer = await by.send(method, `${base}${path}`, body, headers(revision));
      if (answer.statusCode < 300) throw new Error(`${method} ${path} was not refused`);
      return { ...answer.json<Refusal>(), status: answer.statusCode };
    },
    async get<T>(path: string): Promise<T> {
      const answer = await by.get(`${base}${path}`);
      if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${answer.body}`);
      return answer.json<{ data: T }>().data;
    },
    history: async (table: string): Promise<SchemaChange[]> => {
      const answer = await by.get(`${base}/tables/${table}/history`);
      return answer.json<{ data: SchemaChange[] }>().data;
    },
  };
}
export type Designing = ReturnType<typeof designer>;

/** The actual columns, links and published twins of a site, beside those that its definitions require (including the bin). */
export async function storage(program: TestApp, siteId: string): Promise<{ real: string[]; expected: string[] }> {
  const { pool, db } = program.ctx.postgres;
  const collation = (await textCollation(program.ctx.postgres)).includes('zh') ? 'zh-x-icu' : 'C';
  const { rows } = await pool.query<{ name: string; column: string; type: string; collation: string | null }>(
    `SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type, o.collname AS collation
     FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_collation o ON o.oid = a.attcollation
     WHERE s.nspname = $1 AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND (a.attname LIKE 'f\\_%' OR (c.relname LIKE 'l\\_%' AND a.attname = 'a'))`,
    [`s_${siteId}`],
  );
  const real = rows.map((row) => [row.name, row.column, row.type, row.type === 'text' ? row.collation : ''].join(' ').trim());
  const model = await readModel(db, siteId, 0);
  const types: Record<string, string> = { timestamptz: 'timestamp with time zone', time: 'time without time zone' };
  const expected = [...model.tables, ...model.deletedTables].flatMap((table) =>
    [...table.fields, ...table.deletedFields].flatMap((field) => {
      const kind = columnOf[field.type];
      const rest = table.id.slice(2);
      const column = `${field.id} ${types[kind] ?? kind}${kind === 'text' ? ` ${collation}` : ''}`;
      if (kind !== 'none') return [`t_${rest} ${column}`, ...(table.drafts ? [`p_${rest} ${column}`] : [])];
      return field.type === 'relations' ? [`l_${field.id.slice(2)} a uuid`, ...(table.drafts ? [`p_${rest} ${field.id} uuid[]`] : [])] : [];
    }),
  );
  return { real: real.sort(), expected: expected.sort() };
}

/** Inserts records into a table by SQL, before any can be written through the API. Values by field id. */
export async function insertRows(program: TestApp, siteId: string, table: string, rows: readonly Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const row of rows) {
    const columns = Object.keys(row);
    const { rows: insertedRows } = await program.ctx.postgres.pool.query<{ id: string }>(
      `WITH number AS (SELECT nextval('s_${siteId}.n_${table.slice(2)}') AS n)
       INSERT INTO s_${siteId}.${table} (id, n, ord, created_at, updated_at${columns.map((name) => `, ${name}`).join('')})
       SELECT gen_random_uuid(), n, n, now(), now()${columns.map((_, i) => `, $${i + 1}`).join('')} FROM number RETURNING id`,
      Object.values(row),
    );
    ids.push(insertedRows[0]?.id ?? '');
  }
  return ids;
}
