import { eq } from 'drizzle-orm';
import { isMissing } from '../../../stores/files/types';
import type { Context } from '../../../context';
import { bytesOf } from '../../../stores/files/storedFile';
import type { Actor } from '../../audit';
import { recordUses, removeUnused, restoreResources, tablesUsing, usedOutsideRecords } from '../../resources';
import { sites } from '../../sites/schema';
import { recordsTable } from '../core/ids';
import { siteModel } from '../core/model';
import { run } from '../core/write/rows';
import type { Db } from '../core/write/types';
import { uploads } from './uploads';

/** Resources that an import added, by the part of its folder that names them. */
const part = 'added-files';
/** Resources that are changed in one transaction. */
const atOnce = 1000;

/** Ids of the resources that an import added; the list stays with the import, for its undo. */
export function addedFiles(ctx: Context, importId: string) {
  const read = async (): Promise<string[]> => {
    const text = await bytesOf(uploads.file(ctx, importId, part)).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    return text
      .toString('utf8')
      .split('\n')
      .filter((id) => id !== '');
  };
  return {
    read,
    async add(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      const all = new Set([...(await read()), ...ids]);
      await ctx.files.put(uploads.key(importId, part), Buffer.from([...all].join('\n')), { replace: true });
    },
  };
}

type ImportedFiles = { readonly importId: string; readonly siteId: string; readonly actor: Actor };
type NamedSite = { readonly id: string; readonly name: string };

async function forEachBatch(
  { importId, siteId }: ImportedFiles,
  ctx: Context,
  change: (site: NamedSite, ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const ids = await addedFiles(ctx, importId).read();
  if (ids.length === 0) return;
  const [site] = await ctx.postgres.db.select({ id: sites.id, name: sites.name }).from(sites).where(eq(sites.id, siteId));
  for (let at = 0; site && at < ids.length; at += atOnce) await change(site, ids.slice(at, at + atOnce));
}

/** Moves resources that an import added to the bin if nothing uses them: those of rows that were not written. */
export const dropUnusedFiles = (ctx: Context, imported: ImportedFiles): Promise<void> =>
  forEachBatch(imported, ctx, (site, ids) => removeUnused(ctx, site, ids, imported.actor));

/** Those of `ids` that no record outside the bin uses, nor anything else. Records in the bin keep their uses. */
export async function unusedByLiveRecords(ctx: Context, tx: Db & Parameters<typeof tablesUsing>[0], siteId: string, ids: readonly string[]): Promise<string[]> {
  const used = new Set(await usedOutsideRecords(tx, siteId, ids));
  const using = new Set(await tablesUsing(tx, siteId, ids));
  for (const table of (await siteModel(ctx, siteId)).tables) {
    if (!using.has(table.id)) continue;
    const found = await run<{ id: string }>(
      tx,
      `SELECT DISTINCT u.resource_id::text AS id FROM ${recordUses('$1::text', '$2::text', '$3::uuid[]')} u
       JOIN ${recordsTable(siteId, table.id)} t ON t.id = u.source_id::uuid AND t.deleted_at IS NULL`,
      [siteId, table.id, ids],
    );
    for (const { id } of found) used.add(id);
  }
  return ids.filter((id) => !used.has(id));
}

/** Moves resources that an import added to the bin when it is undone, unless somebody uses them elsewhere. */
export const takeBackFiles = (ctx: Context, imported: ImportedFiles): Promise<void> =>
  forEachBatch(imported, ctx, (site, ids) => removeUnused(ctx, site, ids, imported.actor, (tx, some) => unusedByLiveRecords(ctx, tx, imported.siteId, some)));

/** Takes resources that an import added out of the bin when it is redone. */
export const returnFiles = (ctx: Context, imported: ImportedFiles): Promise<void> =>
  forEachBatch(imported, ctx, (site, ids) => restoreResources(ctx, site, ids, imported.actor));
