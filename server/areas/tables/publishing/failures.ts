import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm';
import type { FieldCode } from '../../../../contract/errors';
import type { publicationFailureReasons } from '../../../../contract/tables/publications';
import { users } from '../../account/schema';
import { historyTable } from '../core/ids';
import { contentPublicationFailures, contentTables } from '../core/schema';
import { run } from '../core/write/rows';
import type { Db, Tx } from '../core/write/types';

export type FailureReason = (typeof publicationFailureReasons)[number];
export type FailureRow = typeof contentPublicationFailures.$inferSelect;
/** An error in a field of an incomplete record. */
export type PublicationError = {
  readonly field: string;
  readonly code: FieldCode;
  readonly message?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
};

/** A record has at most one failure: the last. */
export async function insertFailures(tx: Tx, rows: readonly (typeof contentPublicationFailures.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(contentPublicationFailures)
    .values([...rows])
    .onConflictDoUpdate({
      target: [contentPublicationFailures.tableId, contentPublicationFailures.recordId],
      set: Object.fromEntries(
        ['id', 'table_title', 'due_at', 'failed_at', 'scheduled_by', 'reason', 'errors'].map((name) => [
          name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          sql.raw(`excluded.${name}`),
        ]),
      ),
    });
}

export const failuresOf = (db: Pick<Tx, 'select'>, siteId: string, which: { readonly table?: string | undefined; readonly id?: string }, most: number) =>
  db
    .select({ failure: contentPublicationFailures, by: sql<string>`coalesce(${users.displayName}, '')` })
    .from(contentPublicationFailures)
    .leftJoin(users, eq(users.id, contentPublicationFailures.scheduledBy))
    .where(
      and(
        eq(contentPublicationFailures.siteId, siteId),
        which.table === undefined ? undefined : eq(contentPublicationFailures.tableId, which.table),
        which.id === undefined ? undefined : eq(contentPublicationFailures.id, which.id),
      ),
    )
    .orderBy(desc(contentPublicationFailures.failedAt), desc(contentPublicationFailures.id))
    .limit(most);

export const deleteFailure = (tx: Pick<Tx, 'delete'>, id: string) => tx.delete(contentPublicationFailures).where(eq(contentPublicationFailures.id, id));
/** Failures of deleted tables, which nobody can resolve any more. */
export const deleteFailuresBefore = (db: Pick<Tx, 'delete' | 'select'>, before: Date) =>
  db
    .delete(contentPublicationFailures)
    .where(
      and(
        lt(contentPublicationFailures.failedAt, before),
        notInArray(contentPublicationFailures.tableId, db.select({ id: contentTables.id }).from(contentTables)),
      ),
    );

/** Who scheduled the publication of records, according to the history. */
export async function schedulersOf(
  tx: Db,
  siteId: string,
  tableId: string,
  due: readonly { readonly id: string; readonly publishAt: string }[],
): Promise<Map<string, string>> {
  const found = await run<{ id: string; actor: string | null }>(
    tx,
    `SELECT DISTINCT ON (h.record_id) h.record_id AS id, h.actor FROM json_to_recordset($2::json) AS x(id uuid, "publishAt" text)
     JOIN ${historyTable(siteId)} h ON h.table_id = $1::text AND h.record_id = x.id AND h.patch->>'$publishAt' = x."publishAt"
     ORDER BY h.record_id, h.rev DESC`,
    [tableId, JSON.stringify(due)],
  );
  return new Map(found.flatMap(({ id, actor }) => (actor === null ? [] : [[id, actor] as const])));
}
