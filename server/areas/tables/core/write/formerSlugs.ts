import { and, eq, inArray, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { columnName, publishedTable, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { run } from './rows';
import { contentFormerSlugs } from './schema';
import type { Tx, WriteTx } from './types';

type PublicSlug = { readonly id: string; readonly field: string; readonly slug: string };

/** Slugs under which visitors find records now. */
async function publicSlugs(tx: Tx, siteId: string, table: TableModel, fields: readonly FieldModel[], ids: readonly string[]): Promise<PublicSlug[]> {
  const rows = table.drafts ? publishedTable(siteId, table.id) : recordsTable(siteId, table.id);
  const each = fields.map(({ id }) => `('${id}', t.${columnName(id)})`).join(', ');
  return run<PublicSlug>(
    tx,
    `SELECT t.id, s.field, s.slug FROM ${rows} t CROSS JOIN LATERAL (VALUES ${each}) AS s(field, slug) WHERE t.id = ANY($1::uuid[]) AND s.slug <> ''`,
    [ids],
  );
}

/**
 * Watches a write that may change public slugs. Called before it; the returned function is called after it, and remembers the slugs that records no longer have, in the
 * same transaction, so that the redirect exists the moment the page has moved.
 */
export async function watchSlugs(w: WriteTx, siteId: string, table: TableModel, ids: readonly string[]): Promise<() => Promise<void>> {
  const fields = table.fields.filter(({ type }) => type === 'slug');
  const before = fields.length === 0 || ids.length === 0 ? [] : await publicSlugs(w.tx, siteId, table, fields, ids);
  return async () => {
    if (before.length === 0) return;
    const after = new Map((await publicSlugs(w.tx, siteId, table, fields, ids)).map(({ id, field, slug }) => [`${id} ${field}`, slug]));
    // A record without a page has no address to lead to; it keeps its slug until it is published again.
    const former = new Map(
      before.flatMap((one) => {
        const slug = after.get(`${one.id} ${one.field}`);
        return slug === undefined || slug === one.slug ? [] : [[`${one.field} ${one.slug}`, one] as const];
      }),
    );
    if (former.size === 0) return;
    await w.tx
      .insert(contentFormerSlugs)
      .values([...former.values()].map(({ id, field, slug }) => ({ siteId, tableId: table.id, fieldId: field, slug, recordId: id, at: w.now })))
      .onConflictDoUpdate({
        target: [contentFormerSlugs.siteId, contentFormerSlugs.tableId, contentFormerSlugs.fieldId, contentFormerSlugs.slug],
        set: { recordId: sql`excluded.record_id`, at: sql`excluded.at` },
      });
  };
}

/** The record that had a slug last; null if none did. */
export async function formerOwner(db: Pick<NodePgDatabase, 'select'>, siteId: string, tableId: string, fieldId: string, slug: string): Promise<string | null> {
  const { siteId: site, tableId: table, fieldId: field, slug: former, recordId } = contentFormerSlugs;
  const [found] = await db
    .select({ recordId })
    .from(contentFormerSlugs)
    .where(and(eq(site, siteId), eq(table, tableId), eq(field, fieldId), eq(former, slug)));
  return found?.recordId ?? null;
}

/** Forgets former slugs of records that are purged. */
export const deleteFormerSlugs = (tx: Pick<NodePgDatabase, 'delete'>, tableId: string, recordIds: readonly string[]) =>
  tx.delete(contentFormerSlugs).where(and(eq(contentFormerSlugs.tableId, tableId), inArray(contentFormerSlugs.recordId, [...recordIds])));
