import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { actorOf } from '../../audit';
import { storesFiles } from '../core/access';
import { hasValues } from '../core/ddl';
import { designerOf, designing, designs, removeField, restoreField } from '../schema';
import type { DesignCall, Designer } from '../schema';
import type { BatchExtras } from '../core/write/commands';
import type { WriteTx } from '../core/write/types';
import { returnFiles, takeBackFiles } from './addedFiles';
import type { ImportRow } from './queries';
import { tableImports } from './schema';

/** Fields that an import added to a table, by file column. */
type AddedFields = Pick<ImportRow, 'tableId' | 'createdFields'>;
/** What an import added besides records: fields, and resources (`addedFiles.ts`). */
type Added = AddedFields & { readonly importId: string | null };
const importedFiles = (call: DesignCall, importId: string) => ({ importId, siteId: call.site.id, actor: actorOf(call) });

/** The import whose records a batch wrote into an existing table; null: none. */
async function importOf(db: WriteTx['tx'] | Context['postgres']['db'], siteId: string, batchId: string): Promise<ImportRow | null> {
  const [row] = await db
    .select()
    .from(tableImports)
    .where(and(eq(tableImports.siteId, siteId), eq(tableImports.batchId, batchId)));
  return row && !row.createdTable ? row : null;
}

/** Moves fields that an import added into the bin, unless they still have values. */
export async function dropCreatedFields(ctx: Context, designer: Designer, { tableId, createdFields }: AddedFields): Promise<void> {
  const ids = Object.values(createdFields);
  if (ids.length === 0) return;
  await designing(ctx, designer, async (design) => {
    for (const id of ids) {
      const table = (await design.model()).tables.find((one) => one.id === tableId);
      const field = table?.fields.find((one) => one.id === id);
      if (table && field && !(await hasValues(design.tx, design.siteId, table.id, id, true))) await removeField(design, table, field);
    }
  });
}

/**
 * Restores the fields and files of an undone import before its values are written again. A field that cannot be restored stays in the bin. Returns what was
 * restored; null: nothing, or the caller may not.
 */
async function restoreAdded(ctx: Context, call: DesignCall, batchId: string): Promise<Added | null> {
  const row = await importOf(ctx.postgres.db, call.site.id, batchId);
  if (row?.undone !== true) return null;
  const importId = storesFiles(call) ? row.id : null;
  if (importId !== null) await returnFiles(ctx, importedFiles(call, importId));
  return { tableId: row.tableId, createdFields: designs(call) ? await restoreFields(ctx, call, row) : {}, importId };
}

async function restoreFields(ctx: Context, call: DesignCall, row: ImportRow): Promise<AddedFields['createdFields']> {
  const designer = designerOf(call);
  const restored: Record<string, string> = {};
  for (const id of Object.values(row.createdFields))
    await designing(ctx, designer, async (design) => {
      const table = (await design.model()).tables.find((one) => one.id === row.tableId);
      const field = table?.deletedFields.find((one) => one.id === id);
      if (!table || !field) return;
      await restoreField(design, table, field);
      restored[id] = id;
    }).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
    });
  return restored;
}

async function noteImport(w: Pick<WriteTx, 'tx'>, siteId: string, batchId: string, change: { undone: boolean; left: number | null }): Promise<Added | null> {
  const row = await importOf(w.tx, siteId, batchId);
  if (!row) return null;
  await w.tx.update(tableImports).set(change).where(eq(tableImports.id, row.id));
  return { tableId: row.tableId, createdFields: row.createdFields, importId: row.id };
}

/** Fields and files that an import added are removed when its records are undone, and restored with them. */
export const importExtras: BatchExtras<Added> = {
  restore: restoreAdded,
  note: noteImport,
  remove: async (ctx, call, added) => {
    if (designs(call)) await dropCreatedFields(ctx, designerOf(call), added);
    if (added.importId !== null && storesFiles(call)) await takeBackFiles(ctx, importedFiles(call, added.importId));
  },
};
