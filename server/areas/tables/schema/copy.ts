import { createHash } from 'node:crypto';
import type { Context } from '../../../context';
import { columnOf } from '../../../../contract/tables/terms';
import { columnName, historyTable, linksTable, numbersOf, recordsTable } from '../core/ids';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import type { PendingWork } from '../core/schema';
import { noteFilesStatement } from '../core/write/fileReferences';

/** Records per batch; one statement each for records, links and history. */
const piece = 5000;

/**
 * Deterministic id of the copy of a record, so that an interrupted copy can continue, and links between records carry over. Time and version of the
 * original (UUID 7), the rest from a digest.
 */
const copiedId = (id: string, tableId: string): string => {
  const digest = `md5(${id}::text || '${columnName(tableId)}')`;
  return `(substr(${id}::text, 1, 15) || substr(${digest}, 1, 3) || '-a' || substr(${digest}, 4, 3) || '-' || substr(${digest}, 7, 12))::uuid`;
};

/** `done`: all records are copied. `worded`: each was just copied with the search column of its original. */
export type Copied = { readonly done: boolean; readonly worded: boolean };

/** Deterministic batch id of a copy. */
const copyBatch = (tableId: string): string => {
  const digest = createHash('md5').update(`copy ${tableId}`).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20)}`;
};

/** Adds to the growth figures that a table has received records other than by a write: a batch that is not listed and cannot be undone. */
export async function countCopied(
  client: { readonly query: (text: string, values: unknown[]) => Promise<unknown> },
  siteId: string,
  tableId: string,
  created: number,
  at: Date,
): Promise<void> {
  if (created === 0) return;
  await client.query(
    `INSERT INTO content_batches AS b (id, site_id, table_id, door, at, created) VALUES ($1::uuid, $2::text, $3::text, 'template', $4::timestamptz, $5::int)
     ON CONFLICT (id) DO UPDATE SET created = b.created + excluded.created`,
    [copyBatch(tableId), siteId, tableId, at.toISOString(), created],
  );
}

/** Search column of an original, adapted to its copy: choices are stored by field. No word of a text contains `=` or `:`. */
function wordsSql(pairs: readonly { readonly from: FieldModel; readonly to: FieldModel }[]): string {
  const chosen = pairs.filter(({ from }) => from.searchable && (from.type === 'select' || from.type === 'multiSelect'));
  const renamed = chosen.reduce((sql, { from, to }) => `replace(${sql}, '''=${columnName(from.id)}:', '''=${columnName(to.id)}:')`, 't.q::text');
  return chosen.length === 0 ? 't.q' : `${renamed}::tsvector`;
}

/** Copies records of one table into another that was duplicated from it, in batches, at most `most` of them. Copies are drafts. */
export async function copyRecords(
  ctx: Context,
  { siteId, tables }: SiteModel,
  table: TableModel,
  copy: NonNullable<PendingWork['copy']>,
  step: { readonly most: number; readonly stop?: (done: number) => Promise<void> },
): Promise<Copied> {
  const source = tables.find((one) => one.id === copy.from);
  if (!source) return { done: true, worded: false };
  const pairs = source.fields.flatMap((from): { from: FieldModel; to: FieldModel }[] => {
    const to = table.fields.find((field) => field.id === copy.fields[from.id]);
    return to ? [{ from, to }] : [];
  });
  const [from, to] = [recordsTable(siteId, source.id), recordsTable(siteId, table.id)];
  const stored = pairs.filter((pair) => columnOf[pair.from.type] !== 'none');
  const value = (field: FieldModel): string =>
    field.type === 'relation' && field.options.to === source.id
      ? `(SELECT ${copiedId('o.id', table.id)} FROM ${from} o WHERE o.id = t.${columnName(field.id)} AND o.deleted_at IS NULL)`
      : `t.${columnName(field.id)}`;
  const translations = `(SELECT jsonb_object_agg(l.key, (SELECT coalesce(jsonb_object_agg(m.value, v.value), '{}') FROM jsonb_each(l.value) v JOIN jsonb_each_text($2::jsonb) m ON m.key = v.key))
    FROM jsonb_each(t.tr) l)`;
  let after = '00000000-0000-0000-0000-000000000000';
  let worded =
    source.pending?.search === undefined && pairs.every(({ from: one, to: other }) => one.searchable === other.searchable && one.type === other.type);
  for (let chunkCount = 0; ; chunkCount++) {
    if (chunkCount >= step.most) return { done: false, worded };
    const client = await ctx.postgres.pool.connect();
    let ids: string[];
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM ${from} WHERE id > $1::uuid AND deleted_at IS NULL ORDER BY id LIMIT ${piece} FOR SHARE`,
        [after],
      );
      ids = rows.map((row) => row.id);
      const copied = await client.query<{ id: string }>(
        `INSERT INTO ${to} (${['id', 'n', 'ord', 'created_at', 'created_by', 'updated_at', 'updated_by', 'tr', 'q', ...stored.map((pair) => columnName(pair.to.id))].join(', ')})
         SELECT ${copiedId('t.id', table.id)}, t.n, t.ord, t.created_at, t.created_by, t.updated_at, t.updated_by, ${translations}, ${wordsSql(pairs)}${stored.map((pair) => `, ${value(pair.from)}`).join('')}
         FROM ${from} t WHERE t.id = ANY($1::uuid[]) ON CONFLICT (id) DO NOTHING RETURNING id`,
        [ids, JSON.stringify(copy.fields)],
      );
      const copiedIds = copied.rows.map(({ id }) => id);
      const noteFiles = noteFilesStatement({ siteId, table }, copiedIds);
      if (noteFiles) await client.query(noteFiles.text, [...noteFiles.values]);
      await countCopied(client, siteId, table.id, copiedIds.length, new Date(ctx.now()));
      // Records left by an interrupted copy may be outdated.
      worded &&= copiedIds.length === ids.length;
      for (const pair of pairs) {
        if (pair.from.type !== 'relations') continue;
        const own = pair.from.options.to === source.id;
        await client.query(
          `INSERT INTO ${linksTable(siteId, pair.to.id)} (a, b, ord)
           SELECT ${copiedId('l.a', table.id)}, ${own ? copiedId('l.b', table.id) : 'l.b'}, l.ord FROM ${linksTable(siteId, pair.from.id)} l
           ${own ? `JOIN ${from} o ON o.id = l.b AND o.deleted_at IS NULL` : ''} WHERE l.a = ANY($1::uuid[]) ON CONFLICT DO NOTHING`,
          [ids],
        );
      }
      await client.query(
        `INSERT INTO ${historyTable(siteId)} (table_id, record_id, rev, at, actor, door, kind, patch, inverse)
         SELECT $2, t.id, 1, $3::timestamptz, t.created_by, 'template', 'create', '{}', '{}'
         FROM ${to} t JOIN ${from} o ON t.id = ${copiedId('o.id', table.id)} WHERE o.id = ANY($1::uuid[]) ON CONFLICT DO NOTHING`,
        [ids, table.id, new Date(ctx.now()).toISOString()],
      );
      await client.query(`SELECT setval('${numbersOf(siteId, table.id)}', greatest(coalesce((SELECT max(n) FROM ${to}), 1), 1))`);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
    await step.stop?.(ids.length);
    if (ids.length < piece) return { done: true, worded };
    after = ids.at(-1) ?? after;
  }
}
