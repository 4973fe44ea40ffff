import { and, eq, inArray } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { translationMarks, translationRunItems, translationRuns } from '../../languages/schema';
import type { SiteModel, TableModel } from '../core/model';
import type { Tx } from '../core/write/types';
import { forgetFiles } from '../core/write/fileReferences';
import { deleteCommentsOf } from './commentQueries';
import * as queries from './queries';
import { deleteFormerSlugs } from '../core/write/formerSlugs';
import { deleteFailuresOf } from '../core/write/statements';

/** Marks and runs of translations repeat texts of records. */
async function deleteTranslations(tx: Tx, siteId: string, tableId: string, ids: readonly string[]): Promise<void> {
  const ofRecords = (one: typeof translationMarks | typeof translationRunItems) =>
    and(eq(one.entity, 'record'), eq(one.group, tableId), inArray(one.id, [...ids]));
  await tx.delete(translationMarks).where(and(eq(translationMarks.siteId, siteId), ofRecords(translationMarks)));
  const runs = tx.select({ id: translationRuns.id }).from(translationRuns).where(eq(translationRuns.siteId, siteId));
  await tx.delete(translationRunItems).where(and(inArray(translationRunItems.runId, runs), ofRecords(translationRunItems)));
}

/**
 * Permanently deletes records in the bin, with their history, comments and every relation to them (including those of records in the bin). Records
 * outside the bin stay. Returns the deleted ids.
 */
export async function purge(
  tx: Tx,
  model: SiteModel,
  table: TableModel,
  which: { readonly ids: readonly string[]; readonly allowed: SQL | null } | { readonly before: Date; readonly most: number },
): Promise<string[]> {
  const { siteId } = model;
  const ids = await queries.lockBinned(tx, siteId, table.id, which);
  if (ids.length === 0) return [];
  for (const field of [...table.fields, ...table.deletedFields]) if (field.type === 'relations') await queries.deleteLinks(tx, siteId, field.id, 'a', ids);
  for (const other of [...model.tables, ...model.deletedTables]) {
    for (const field of [...other.fields, ...other.deletedFields]) {
      if (field.options.to !== table.id) continue;
      if (field.type === 'relations') await queries.deleteLinks(tx, siteId, field.id, 'b', ids);
      else if (field.type === 'relation') await queries.emptyRelation(tx, siteId, other.id, field.id, ids);
    }
  }
  await forgetFiles(tx, siteId, table.id, { recordIds: ids });
  await deleteCommentsOf(tx, table.id, ids);
  await deleteFailuresOf(tx, table.id, ids);
  await deleteFormerSlugs(tx, table.id, ids);
  await deleteTranslations(tx, siteId, table.id, ids);
  await queries.deleteHistory(tx, siteId, table.id, ids);
  await queries.deleteRecords(tx, siteId, table.id, ids);
  return ids;
}
