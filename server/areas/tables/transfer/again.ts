import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { hasValues } from '../core/ddl';
import { designerOf, designing, designs, removeField, restoreField } from '../schema';
import type { DesignCall, Designer } from '../schema';
import type { WriteTx } from '../core/write/types';
import type { ImportRow } from './queries';
import { tableImports } from './schema';

type Made = Pick<ImportRow, 'tableId' | 'madeFields'>;

/** The import whose records a batch wrote, into a table that there was; null: none. */
async function importOf(db: WriteTx['tx'] | Context['postgres']['db'], siteId: string, batchId: string): Promise<ImportRow | null> {
  const [row] = await db
    .select()
    .from(tableImports)
    .where(and(eq(tableImports.siteId, siteId), eq(tableImports.batchId, batchId)));
  return row && !row.madeTable ? row : null;
}

/** Fields that an import made go into the bin with it, but for those in which something is left. */
export async function dropMadeFields(ctx: Context, designer: Designer, { tableId, madeFields }: Made): Promise<void> {
  const made = Object.values(madeFields);
  if (made.length === 0) return;
  await designing(ctx, designer, async (design) => {
    for (const id of made) {
      const table = (await design.model()).tables.find((one) => one.id === tableId);
      const field = table?.fields.find((one) => one.id === id);
      if (table && field && !(await hasValues(design.tx, design.siteId, table.id, id, true))) await removeField(design, table, field);
    }
  });
}

/**
 * Before what an undone import wrote is written again: fields that went with it come back, so that their values have a place. One that cannot stays in the bin. Returns those that
 * came; null: the caller designs no tables.
 */
async function madeFieldsBack(ctx: Context, call: DesignCall, batchId: string): Promise<Made | null> {
  if (!designs(call)) return null;
  const designer = designerOf(call);
  const row = await importOf(ctx.postgres.db, designer.siteId, batchId);
  const came: Record<string, string> = {};
  for (const id of row?.undone === true ? Object.values(row.madeFields) : [])
    await designing(ctx, designer, async (design) => {
      const table = (await design.model()).tables.find((one) => one.id === row?.tableId);
      const field = table?.deletedFields.find((one) => one.id === id);
      if (!table || !field) return;
      await restoreField(design, table, field);
      came[id] = id;
    }).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
    });
  return { tableId: row?.tableId ?? null, madeFields: came };
}

/** Notes that what an import wrote was undone (`left`: places that stayed), or stands again, by the undoing of batches. Returns the import; null: the batch is of none. */
async function noteImport(w: Pick<WriteTx, 'tx'>, siteId: string, batchId: string, change: { undone: boolean; left: number | null }): Promise<Made | null> {
  const row = await importOf(w.tx, siteId, batchId);
  if (!row) return null;
  await w.tx.update(tableImports).set(change).where(eq(tableImports.id, row.id));
  return { tableId: row.tableId, madeFields: row.madeFields };
}

/** Fields that an import made go when what it wrote is undone, and come back with it. */
export const madeByImports = {
  bringBack: madeFieldsBack,
  note: noteImport,
  takeAway: async (ctx: Context, call: DesignCall, made: Made): Promise<void> => {
    if (designs(call)) await dropMadeFields(ctx, designerOf(call), made);
  },
};
