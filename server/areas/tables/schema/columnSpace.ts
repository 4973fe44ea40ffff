import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { columnOf } from '../../../../contract/tables/terms';
import { columnsUsed, dropFields, rewriteTable } from '../core/ddl';
import { publishedTable, recordsTable } from '../core/ids';
import { contentFields, contentTables } from '../core/schema';
import type { Design } from './design';
import { storedField } from './kinds';
import * as queries from './queries';

/** PostgreSQL allows 1,600 column numbers per table. From this many on, the table is rewritten and its bin is limited to this many fields. */
export const columnLimits = { columns: 1200, binned: 300 };

/**
 * Ensures that `more` columns can be added. A table that runs out of column numbers is rewritten without the dropped ones; if fields in the bin take too
 * many, the oldest are dropped before their 30 days are over.
 */
export async function makeColumnSpace(design: Design, tableId: string, more: number): Promise<void> {
  const { tx, siteId } = design;
  const names = [recordsTable(siteId, tableId), publishedTable(siteId, tableId)];
  const used: number[] = [];
  for (const name of names) used.push(await columnsUsed(tx, name));
  if (Math.max(...used) + more <= columnLimits.columns) return;
  const [table] = await tx.select({ drafts: contentTables.drafts }).from(contentTables).where(eq(contentTables.id, tableId));
  const binned = await tx
    .select()
    .from(contentFields)
    .where(and(eq(contentFields.tableId, tableId), isNotNull(contentFields.deletedAt)))
    .orderBy(asc(contentFields.deletedAt), asc(contentFields.id));
  const inColumns = binned.filter((field) => columnOf[field.type] !== 'none' || field.type === 'relations');
  const gone = inColumns.slice(0, Math.max(0, inColumns.length - columnLimits.binned));
  if (gone.length > 0) {
    await dropFields(tx, siteId, { id: tableId, published: table?.drafts ?? false }, gone.map(storedField));
    await queries.forgetFields(
      tx,
      gone.map((field) => field.id),
    );
    design.forget();
  }
  for (const [i, name] of names.entries()) if ((used[i] ?? 0) + more > columnLimits.columns) await rewriteTable(tx, name);
}
