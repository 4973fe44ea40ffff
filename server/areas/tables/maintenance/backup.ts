import { PassThrough, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { PoolClient } from 'pg';
import type { Context } from '../../../context';
import { columnOf } from '../../../../contract/tables/terms';
import { peopleNames } from '../core/write/past';
import { isoSql, isStored } from '../core/write/rows';
import { boundRules, exportedTables } from '../schema';
import { columnName, linksTable, publishedTable, recordsTable } from '../core/ids';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { fileLines, filesOf } from './backupFiles';
import { backupFormat } from './file';
import type { FileRecord, Header } from './file';

/** Records per batch, and the time limit of all batches together, ms: an open snapshot prevents PostgreSQL from vacuuming. */
const piece = 200;
/** Characters compressed at once: the text of a whole batch could exceed the maximum string length. */
const mostText = 2 ** 20;
const longest = 60 * 60_000;

type Raw = Record<string, unknown>;
type BackupOptions = { readonly withBin: boolean; readonly withFiles: boolean; readonly signal: AbortSignal };
const isBackedUp = (field: FieldModel): boolean => isStored(field) || field.type === 'relations';

/** A row as JSON, built by PostgreSQL so that decimals keep their digits; values that JSON cannot represent exactly are texts. */
function rowSql(table: TableModel, row: string, links: (field: FieldModel) => string): string {
  const value = (field: FieldModel): string => {
    if (field.type === 'relations') return links(field);
    const column = `${row}.${columnName(field.id)}`;
    const kind = columnOf[field.type];
    if (kind === 'timestamptz') return isoSql(column);
    return kind === 'numeric' ? `${column}::text` : column;
  };
  const fields = table.fields.filter(isBackedUp);
  // `json_build_object` takes a hundred arguments, so large objects are merged from several.
  const parts: string[] = [];
  for (let at = 0; at < fields.length; at += 40)
    parts.push(
      `jsonb_build_object(${fields
        .slice(at, at + 40)
        .map((field) => `'${field.id}', ${value(field)}`)
        .join(', ')})`,
    );
  return parts.length === 0 ? `'{}'::jsonb` : parts.join(' || ');
}

const byKeys = (table: TableModel, values: Raw): Raw =>
  Object.fromEntries(
    table.fields.flatMap((field) => {
      const value = values[field.id];
      return value === null || value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[field.key, value]];
    }),
  );
const trByKeys = (table: TableModel, tr: Record<string, Raw> | null): FileRecord['tr'] =>
  tr === null ? undefined : Object.fromEntries(Object.entries(tr).map(([locale, values]) => [locale, byKeys(table, values)]));

/**
 * A whole table as lines, from one snapshot: the definition, the files that its records use (from just before), then one line per record with its current values, its published state if different,
 * translations, position, times and people, then a line that marks the end. Only for people who design tables: it contains password hashes.
 */
export async function* linesOf(ctx: Context, model: SiteModel, table: TableModel, how: BackupOptions): AsyncGenerator<string> {
  const { siteId } = model;
  const definition = exportedTables(model).find((one) => one.key === table.key);
  if (!definition) throw new Error('a table without a definition');
  const bound = boundRules(table);
  const people = await peopleNames(
    ctx.postgres.db,
    bound.flatMap(({ ids }) => ids),
  );
  const files = how.withFiles ? await filesOf(ctx, siteId, table.id) : [];
  const client = await ctx.postgres.pool.connect();
  let broken = true;
  const onError = (): void => undefined;
  client.on('error', onError);
  const until = ctx.now() + longest;
  try {
    const header: Header = {
      format: backupFormat,
      // Earlier releases read backups without files.
      version: files.length === 0 ? 1 : 2,
      madeAt: new Date(ctx.now()).toISOString(),
      siteId,
      tableId: table.id,
      table: definition,
      trash: how.withBin,
      closed: bound.map(({ role, action, ids }) => ({ role, action, names: [...new Set(ids.flatMap((id) => people.get(id) || []))].slice(0, 50) })),
    };
    yield `${JSON.stringify(header)}\n`;
    for (const file of files) {
      if (how.signal.aborted || ctx.now() > until) throw new Error('the caller has left, or took too long');
      yield* fileLines(ctx, siteId, file);
    }
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const own = rowSql(
      table,
      't',
      (field) => `(SELECT coalesce(jsonb_agg(l.b ORDER BY l.ord, l.b), '[]') FROM ${linksTable(siteId, field.id)} l WHERE l.a = t.id)`,
    );
    const published = rowSql(table, 'p', (field) => `to_jsonb(p.${columnName(field.id)})`);
    await client.query(
      `DECLARE backup NO SCROLL CURSOR FOR SELECT t.id, t.n::text AS n, t.ord::text AS ord, t.rev, ${isoSql('t.created_at')} AS made, t.created_by AS maker,
         ${isoSql('t.updated_at')} AS changed, t.updated_by AS editor, ${isoSql('t.deleted_at')} AS gone, t.published_rev AS prev, ${isoSql('t.published_at')} AS pat,
         ${isoSql('t.publish_at')} AS soon, ${isoSql('t.unpublish_at')} AS until, t.tr, ${own} AS values
         ${table.drafts ? `, p.rev AS p_rev, ${isoSql('p.updated_at')} AS p_changed, p.updated_by AS p_editor, p.tr AS p_tr, CASE WHEN p.id IS NOT NULL THEN ${published} END AS p_values` : ''}
       FROM ${recordsTable(siteId, table.id)} t ${table.drafts ? `LEFT JOIN ${publishedTable(siteId, table.id)} p ON p.id = t.id` : ''}
       ${how.withBin ? '' : 'WHERE t.deleted_at IS NULL'} ORDER BY t.id`,
    );
    let records = 0;
    for (;;) {
      if (how.signal.aborted || ctx.now() > until) throw new Error('the caller has left, or took too long');
      const { rows } = await client.query<Raw>(`FETCH ${piece} FROM backup`);
      const names = await namesOf(client, model, table, rows);
      let text = '';
      for (const row of rows) {
        text += `${JSON.stringify(recordOf(table, row, names))}\n`;
        if (text.length < mostText) continue;
        yield text;
        text = '';
      }
      records += rows.length;
      if (text !== '') yield text;
      if (rows.length < piece) break;
    }
    await client.query('COMMIT');
    broken = false;
    yield `${JSON.stringify({ end: true, records })}\n`;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

function recordOf(table: TableModel, row: Raw, names: ReadonlyMap<string, string>): FileRecord {
  const values = row['values'] as Raw;
  const twin = row['p_values'] as Raw | null | undefined;
  const linked = table.fields.flatMap((field) => {
    const value = values[field.id];
    return field.type === 'relation' ? [value] : field.type === 'relations' && Array.isArray(value) ? (value as readonly unknown[]) : [];
  });
  const called = Object.fromEntries(linked.flatMap((id) => (typeof id === 'string' && names.has(id) ? [[id, names.get(id)]] : [])));
  const changed = twin && row['p_rev'] !== row['rev'];
  return JSON.parse(
    JSON.stringify({
      id: row['id'],
      n: Number(row['n']),
      ord: row['ord'],
      rev: row['rev'],
      createdAt: row['made'],
      createdBy: row['maker'] ?? undefined,
      updatedAt: row['changed'],
      updatedBy: row['editor'] ?? undefined,
      deletedAt: row['gone'] ?? undefined,
      publishedRev: row['prev'] ?? undefined,
      publishedAt: row['pat'] ?? undefined,
      publishAt: row['soon'] ?? undefined,
      unpublishAt: row['until'] ?? undefined,
      values: byKeys(table, values),
      tr: trByKeys(table, row['tr'] as Record<string, Raw> | null),
      names: Object.keys(called).length === 0 ? undefined : called,
      published: changed
        ? {
            rev: row['p_rev'],
            updatedAt: row['p_changed'],
            updatedBy: row['p_editor'] ?? undefined,
            values: byKeys(table, twin),
            tr: trByKeys(table, row['p_tr'] as Record<string, Raw> | null),
          }
        : undefined,
    }),
  ) as FileRecord;
}

/** Names of linked records, so that a restore can find them by name if their ids no longer exist. */
async function namesOf(client: PoolClient, model: SiteModel, table: TableModel, rows: readonly Raw[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const field of table.fields) {
    if (field.type !== 'relation' && field.type !== 'relations') continue;
    const target = model.byName.get(field.options.to ?? '');
    const primary = target?.fields.find((one) => one.id === target.primaryField);
    if (!target || target.id === table.id || !primary || columnOf[primary.type] !== 'text' || primary.type === 'password') continue;
    const ids = rows.flatMap((row) => {
      const value = (row['values'] as Raw)[field.id];
      return Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
    });
    if (ids.length === 0) continue;
    const found = await client.query<{ id: string; name: string | null }>(
      `SELECT id, left(${columnName(primary.id)}, 200) AS name FROM ${recordsTable(model.siteId, target.id)} WHERE id = ANY($1::uuid[])`,
      [[...new Set(ids)]],
    );
    for (const { id, name } of found.rows) if (name) names.set(id, name);
  }
  return names;
}

/** The file: compressed lines of a table, paced by the reader. */
export function backupOf(ctx: Context, model: SiteModel, table: TableModel, how: BackupOptions): NodeJS.ReadableStream {
  const lines = Readable.from(linesOf(ctx, model, table, how), { objectMode: false });
  const packed = createGzip();
  const out = new PassThrough();
  const end = (error: Error): void => {
    ctx.log.warn('A backup of a table broke off', { tableId: table.id, error });
    out.destroy(error);
  };
  lines.on('error', end);
  packed.on('error', end);
  // A stalled reader that stays connected would otherwise hold the snapshot and its slot forever.
  const late = setTimeout(() => end(new Error('it took too long')), longest).unref();
  out.on('close', () => {
    clearTimeout(late);
    lines.destroy();
  });
  lines.pipe(packed).pipe(out);
  return out;
}
