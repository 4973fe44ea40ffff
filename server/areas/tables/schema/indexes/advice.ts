import type { TableAdvice } from '../../../../../contract/tables/indexes';
import { canBeIndexed, tableLimits } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { plainIndexOf, publishedIndexOf, publishedTable, recordsTable, uniqueIndexOf } from '../../core/ids';
import type { FieldModel, TableModel } from '../../core/model';
import { flushCosts } from '../../core/read';
import { slowMs } from '../../core/read/costs';
import { costsOf, indexedSince, openJobs } from './queries';
import { JobInput, indexCount } from './toggle';

/** Maximum number of query shapes shown. */
const mostShapes = 100;
/** An index that is unused for this long is not needed, ms. */
const unusedAfter = 7 * 24 * 3_600_000;

type Sizes = { readonly rows: number; readonly table: number; readonly indexes: number; readonly reset: Date | null };
async function sizesOf(ctx: Context, names: readonly string[]): Promise<Sizes> {
  const { rows } = await ctx.postgres.pool.query<Sizes>(
    `SELECT coalesce(max(greatest(pg_stat_get_live_tuples(c.oid), c.reltuples, 0)) FILTER (WHERE c.oid = to_regclass($1)), 0)::float8 AS rows,
       coalesce(sum(pg_table_size(c.oid)), 0)::float8 AS table, coalesce(sum(pg_indexes_size(c.oid)), 0)::float8 AS indexes,
       (SELECT stats_reset FROM pg_catalog.pg_stat_database WHERE datname = current_database()) AS reset
     FROM pg_catalog.pg_class c WHERE c.oid IN (to_regclass($1), to_regclass($2))`,
    [...names],
  );
  return rows[0] ?? { rows: 0, table: 0, indexes: 0, reset: null };
}
type Use = { readonly name: string; readonly bytes: number; readonly scans: number };
async function usesOf(ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, Use>> {
  const { rows } = await ctx.postgres.pool.query<Use>(
    `SELECT indexrelname AS name, pg_relation_size(indexrelid)::float8 AS bytes, coalesce(idx_scan, 0)::float8 AS scans
     FROM pg_catalog.pg_stat_user_indexes WHERE relid IN (to_regclass($1), to_regclass($2))`,
    [...names],
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** `filter:f_…,f_…|sort:f_…`, as written by `read/costs.ts`. */
function partsOf(shape: string): { readonly filter: string[]; readonly sort: string[] } {
  const [filter = '', sort = ''] = shape.split('|').map((part) => part.slice(part.indexOf(':') + 1));
  const list = (text: string): string[] => (text === '' ? [] : text.split(','));
  return { filter: list(filter), sort: list(sort) };
}
const isHelped = (field: FieldModel): boolean => field.indexed || field.isUnique || field.type === 'relation';

/** Cost of queries on a table, indexes that would help, and unused ones. */
export async function adviceOn(ctx: Context, siteId: string, table: TableModel): Promise<TableAdvice> {
  const { db } = ctx.postgres;
  await flushCosts(ctx);
  const names = [recordsTable(siteId, table.id), publishedTable(siteId, table.id)];
  const [costs, sizes, uses, sinces, open] = await Promise.all([
    costsOf(db, siteId, table.id, mostShapes),
    sizesOf(ctx, names),
    usesOf(ctx, names),
    indexedSince(db, table.id),
    openJobs(db, siteId),
  ]);
  const fieldById = new Map(table.fields.map((field) => [field.id, field]));
  const shapes = costs.map(({ shape, count, totalMs, worstMs, lastAt }) => {
    const parts = partsOf(shape);
    const fields = [...new Set([...parts.filter, ...parts.sort])].flatMap((id) => fieldById.get(id) ?? []).filter((field) => canBeIndexed(field.type));
    const meanMs = totalMs / Math.max(1, count);
    return {
      ...parts,
      count,
      meanMs: Math.round(meanMs * 10) / 10,
      worstMs: Math.round(worstMs * 10) / 10,
      lastAt: lastAt.toISOString(),
      slow: meanMs > slowMs,
      helps: fields.map((field) => ({ fieldId: field.id, exists: isHelped(field) })),
      totalMs,
    };
  });
  const missingIndexes = new Map<string, { fieldId: string; count: number; totalMs: number }>();
  for (const { slow, helps, count, totalMs } of shapes) {
    if (!slow) continue;
    for (const { fieldId, exists } of helps) {
      if (exists) continue;
      const known = missingIndexes.get(fieldId) ?? { fieldId, count: 0, totalMs: 0 };
      missingIndexes.set(fieldId, { fieldId, count: known.count + count, totalMs: known.totalMs + totalMs });
    }
  }
  const statsSince = sizes.reset?.getTime() ?? 0;
  const indexes = table.fields.flatMap((field) => {
    const since = Math.max(statsSince, sinces.get(field.id)?.getTime() ?? table.createdAt.getTime());
    const row = (kind: 'unique' | 'indexed', all: readonly string[]) => {
      const found = all.flatMap((name) => uses.get(name) ?? []);
      const scans = found.reduce((sum, one) => sum + one.scans, 0);
      const old = ctx.now() - since > unusedAfter;
      return {
        fieldId: field.id,
        kind,
        bytes: found.reduce((sum, one) => sum + one.bytes, 0),
        scans,
        since: new Date(since).toISOString(),
        // A relation keeps its index, for finding what links to a record.
        unused: kind === 'indexed' && scans === 0 && old && field.type !== 'relation',
      };
    };
    return [
      ...(field.isUnique ? [row('unique', [uniqueIndexOf(field.id), ...(field.indexed ? [] : [publishedIndexOf(field.id)])])] : []),
      ...(field.indexed ? [row('indexed', [plainIndexOf(field.id), publishedIndexOf(field.id)])] : []),
    ];
  });
  return {
    rows: Math.round(sizes.rows),
    tableBytes: sizes.table,
    indexBytes: sizes.indexes,
    used: indexCount(table),
    most: tableLimits.indexes,
    shapes,
    suggested: [...missingIndexes.values()].sort((a, b) => b.totalMs - a.totalMs).map((one) => ({ ...one, totalMs: Math.round(one.totalMs) })),
    indexes,
    building: open.flatMap(({ id, input }) => {
      const read = JobInput.safeParse(input);
      return read.success && read.data.tableId === table.id ? [{ fieldId: read.data.fieldId, jobId: id }] : [];
    }),
  };
}
