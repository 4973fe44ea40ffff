import { and, eq, isNotNull, lt, or } from 'drizzle-orm';
import { tableLimits } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { defineJob, enqueue } from '../../../worker';
import { record, systemActor } from '../../audit';
import { purgeConversions } from './conversion/job';
import { changingTables, dropFields, dropSchema, dropTable, lockTable } from '../core/ddl';
import type { Db } from '../core/ddl';
import { historyTable } from '../core/ids';
import { readModel } from '../core/model';
import type { TableModel } from '../core/model';
import { contentConversions, contentFields, contentTables } from '../core/schema';
import { forgetFiles } from '../core/write/fileReferences';
import { storedField } from './kinds';
import * as queries from './queries';
import { forgetPastValues, forgetTranslations } from './translations';

/** How long fields and tables stay in the bin, ms. */
const binFor = tableLimits.keepDays * 24 * 3_600_000;

/**
 * Drops tables and fields of a site that have been in the bin for 30 days, and translations disabled for as long. One table at a time, each completely
 * or not at all.
 */
export const purgeJob = defineJob('tables.purge', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) return;
  const before = new Date(ctx.now() - binFor);
  await purgeConversions(ctx, siteId);
  const tables = await ctx.postgres.db.select().from(contentTables).where(eq(contentTables.siteId, siteId));
  for (const [done, { id, title, deletedAt }] of tables.entries()) {
    await job.progress(done, tables.length);
    const gone = deletedAt !== null && deletedAt < before;
    if (!gone) await forgetPastFields(ctx, siteId, id, before);
    const changed = await changingTables(ctx.postgres, async (tx) => {
      const table = await lockedTable(tx, siteId, id);
      if (!table) return false;
      // It may have been restored while this waited for the lock.
      if (gone && table.deletedAt !== null && table.deletedAt < before) await eraseTable(ctx, tx, siteId, table, title);
      else if (gone || !(await eraseFields(tx, siteId, table, before))) return false;
      return queries.touchSite(tx, siteId);
    });
    if (gone) await forgetHistory(ctx, siteId, id);
    else await forgetTranslations(ctx, siteId, id, before);
    if (changed) ctx.live.publish({ type: 'tables', siteId, tableId: id });
  }
});

async function lockedTable(tx: Db, siteId: string, id: string): Promise<TableModel | null> {
  await queries.touchSite(tx, siteId);
  await lockTable(tx, id);
  const model = await readModel(tx, siteId, 0);
  return [...model.tables, ...model.deletedTables].find((table) => table.id === id) ?? null;
}
async function eraseTable(ctx: Context, tx: Db, siteId: string, table: TableModel, title: string): Promise<void> {
  await dropTable(tx, siteId, table.id, [...table.fields, ...table.deletedFields].map(storedField));
  await forgetFiles(tx, siteId, table.id, 'all');
  await queries.forgetTable(tx, table.id);
  await record(ctx, tx, systemActor, { action: 'table.purged', siteId, target: { kind: 'table', id: table.id, name: title } });
}
/**
 * Deletes what the history has of fields that are about to be dropped: before that, so that an interrupted job finds them again, and outside of the transaction, which keeps
 * everybody out of the table.
 */
async function forgetPastFields(ctx: Context, siteId: string, tableId: string, before: Date): Promise<void> {
  const { db } = ctx.postgres;
  const gone = await db
    .select({ id: contentFields.id })
    .from(contentFields)
    .where(and(eq(contentFields.tableId, tableId), lt(contentFields.deletedAt, before)));
  if (gone.length > 0) await forgetPastValues(db, siteId, tableId, { fields: gone.map(({ id }) => id) });
}
async function eraseFields(tx: Db, siteId: string, table: TableModel, before: Date): Promise<boolean> {
  const gone = table.deletedFields.filter((field) => field.deletedAt !== null && field.deletedAt < before);
  if (gone.length === 0) return false;
  await dropFields(tx, siteId, { id: table.id, published: table.drafts }, gone.map(storedField));
  const fieldIds = gone.map((field) => field.id);
  await forgetFiles(tx, siteId, table.id, { fieldIds });
  await queries.forgetFields(tx, fieldIds);
  return true;
}
/** Deletes the record history of a dropped table, in batches, because there may be millions of rows. */
async function forgetHistory(ctx: Context, siteId: string, tableId: string): Promise<void> {
  for (;;) {
    const { rowCount } = await ctx.postgres.pool.query(
      `DELETE FROM ${historyTable(siteId)} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${historyTable(siteId)} WHERE table_id = $1 LIMIT 10000))`,
      [tableId],
    );
    if ((rowCount ?? 0) < 10_000) return;
  }
}

/** Queues a purge for every site with expired items in the bin. Runs on a schedule. */
export async function purgeTables(ctx: Context): Promise<void> {
  const before = new Date(ctx.now() - binFor);
  const sites = await ctx.postgres.db
    .selectDistinct({ siteId: contentTables.siteId })
    .from(contentTables)
    .leftJoin(contentFields, and(eq(contentFields.tableId, contentTables.id), isNotNull(contentFields.deletedAt)))
    .leftJoin(contentConversions, and(eq(contentConversions.tableId, contentTables.id), lt(contentConversions.keepUntil, new Date(ctx.now()))))
    .where(or(isNotNull(contentConversions.id), lt(contentTables.deletedAt, before), lt(contentFields.deletedAt, before), queries.hasOldTranslations(before)));
  for (const { siteId } of sites) await enqueue(ctx, 'tables.purge', { siteId, label: siteId, cancellable: false, once: true });
}

/** Deletes all records of a site that is being erased; its definitions are deleted with its row. */
export const eraseTables = (tx: Db, siteId: string): Promise<void> => dropSchema(tx, siteId);
