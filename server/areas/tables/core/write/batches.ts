import { and, desc, eq, inArray, max, min, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Batch } from '../../../../../contract/tables/records';
import type { Context } from '../../../../context';
import { grantOf } from '../access';
import { historyTable, recordsTable } from '../ids';
import { askingLong } from '../read/run';
import { newReadContext } from '../read/statement';
import { contentBatches } from '../schema';
import { peopleNames } from './past';
import type { TableContext } from '../tableContext';

const shownBatches = 100;
type Who = Omit<TableContext, 'table'>;
type Counts = { readonly created: number; readonly updated: number; readonly removed: number };

/** By site: when its records changed first and last after a time, drafts included. Sites whose records did not are absent. */
export async function contentChangesSince(
  db: Pick<NodePgDatabase, 'select'>,
  since: ReadonlyMap<string, Date>,
): Promise<ReadonlyMap<string, { readonly first: Date; readonly last: Date }>> {
  if (since.size === 0) return new Map();
  const bounds = sql`unnest(${sql.param([...since.keys()])}::text[], ${sql.param([...since.values()].map((at) => at.toISOString()))}::timestamptz[]) as bounds (site_id, since)`;
  const rows = await db
    .select({ siteId: contentBatches.siteId, first: min(contentBatches.at), last: max(contentBatches.at) })
    .from(contentBatches)
    .innerJoin(bounds, sql`bounds.site_id = ${contentBatches.siteId} and ${contentBatches.at} > bounds.since`)
    .groupBy(contentBatches.siteId);
  return new Map(rows.flatMap(({ siteId, first, last }) => (first && last ? [[siteId, { first, last }]] : [])));
}

/** The latest batches of tables that the reader may all read, with counts limited to records that the reader may see. */
export async function latestBatches(ctx: Context, who: Who, tables: readonly string[], by: string | null): Promise<Batch[]> {
  const { db } = ctx.postgres;
  const rows = await db
    .select()
    .from(contentBatches)
    .where(
      and(
        eq(contentBatches.siteId, who.model.siteId),
        inArray(contentBatches.tableId, [...tables]),
        // Copied records, for which only the counts matter.
        ne(contentBatches.origin, 'template'),
        by === null ? undefined : eq(contentBatches.actor, by),
      ),
    )
    .orderBy(desc(contentBatches.at), desc(contentBatches.id))
    .limit(shownBatches);
  const [names, visibleCounts] = await Promise.all([
    peopleNames(
      db,
      rows.map((row) => row.actor),
    ),
    seenCounts(
      ctx,
      who,
      rows.map((row) => row.id),
    ),
  ]);
  return rows.flatMap(({ id, tableId, origin, at, actor, source, created, updated, removed, undoneBy }): Batch[] => {
    const all = { created, updated, removed };
    const counts = visibleCounts ? least(all, visibleCounts.get(id)) : all;
    const isEmpty = counts.created + counts.updated + counts.removed === 0;
    // Another person's batch that changed only hidden records is hidden as well.
    if (isEmpty && created + updated + removed > 0 && actor !== who.reader.userId) return [];
    return [{ id, tableId, origin, at: at.toISOString(), by: source ?? names.get(actor ?? '') ?? '', ...counts, undone: undoneBy !== null }];
  });
}

/** The other side of links has history but is not counted, so no count exceeds the batch's own. */
const least = (all: Counts, visibleCounts: Counts = { created: 0, updated: 0, removed: 0 }): Counts => ({
  created: Math.min(all.created, visibleCounts.created),
  updated: Math.min(all.updated, visibleCounts.updated),
  removed: Math.min(all.removed, visibleCounts.removed),
});

/** Per batch, the records that the reader may see, live or in the bin, counted from history; null for readers who see every record of the site. */
async function seenCounts(ctx: Context, who: Who, batches: readonly string[]): Promise<Map<string, Counts> | null> {
  const grants = who.model.tables.map((table) => ({ table, grant: grantOf(table, who.reader, 'read') }));
  if (batches.length === 0 || grants.every(({ grant }) => grant.allowed && grant.filter === null)) return null;
  const { siteId } = who.model;
  const counts = new Map<string, Counts>();
  for (const { table, grant } of grants) {
    if (!grant.allowed) continue;
    const scope = await newReadContext(ctx, { ...who, table });
    const [ids, own] = [scope.params.bind(batches, 'uuid[]'), scope.params.bind(table.id, 'text')];
    const rule = grant.filter === null ? '' : ` AND (${scope.compilers.rule(scope, grant.filter)})`;
    const rows = await askingLong(ctx)(
      `SELECT b.batch, count(*) FILTER (WHERE b.made), count(*) FILTER (WHERE NOT b.made AND NOT b.gone), count(*) FILTER (WHERE b.gone AND NOT b.made) FROM (
         SELECT h.batch, bool_or(h.kind = 'create') AS made, bool_or(h.kind = 'trash') AS gone
         FROM ${historyTable(siteId)} h JOIN ${recordsTable(siteId, table.id)} ${scope.row} ON ${scope.row}.id = h.record_id
         WHERE h.batch = ANY(${ids}) AND h.table_id = ${own}${rule} GROUP BY h.batch, h.record_id) b GROUP BY b.batch`,
      scope.params.values,
    );
    for (const [batch, created, updated, removed] of rows) {
      const known = counts.get(batch ?? '') ?? { created: 0, updated: 0, removed: 0 };
      counts.set(batch ?? '', {
        created: known.created + Number(created),
        updated: known.updated + Number(updated),
        removed: known.removed + Number(removed),
      });
    }
  }
  return counts;
}
