import { and, asc, desc, eq, getTableColumns, getTableName, gt, inArray, isNull, like, lte, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Context } from '../context';
import { fail } from '../http/failure';
import { violatedConstraint, violatesForeignKey } from '../stores/postgres/conflict';
import { removals } from './schema';
import type { StoredRow } from './schema';

/** How long a removal can be undone, ms. */
const undoableMs = 3_600_000;
/** Removals of one person that are stored; beyond that the oldest can no longer be undone. */
const mostPerPerson = 200;

type Tx = Pick<NodePgDatabase, 'select' | 'insert' | 'delete' | 'execute'>;
type Clock = Pick<Context, 'now'>;
/** What is removed or restored. `siteId`: null if it belongs to no site. `by`: the caller. */
type Target = { readonly siteId: string | null; readonly id: string; readonly by: string };
type IdTable = PgTable & { readonly id: PgColumn };
/** Rows that are removed along with what they refer to. `most`: at most so many come back, first in `order`. `without`: a column that need not come back. */
export type Dependants = {
  readonly table: PgTable;
  readonly of: PgColumn;
  readonly most?: number;
  readonly order?: readonly SQL[];
  readonly without?: PgColumn;
};

/** How things of one kind are removed so that the removal can be undone. */
export type Removal = {
  /**
   * Stores the row and its dependants in the transaction that then deletes them, which checks that they belong to the site. Does nothing if there is no such
   * row.
   */
  readonly store: (ctx: Clock, tx: Tx, target: Target) => Promise<void>;
  /**
   * Inserts the rows again, exactly as they were. Only for the person who removed them: what somebody else removed on purpose stays removed. The caller then
   * checks, in the same transaction, what deleting them checks. Throws `not_found` if nothing is stored (any more), `place_taken` if something else has a
   * unique value of it, `parent_gone` if what it belongs to was deleted.
   */
  readonly restore: (ctx: Clock, tx: Tx, target: Target) => Promise<void>;
};

/** `kind` identifies the removals of `table`, together with the id of the removed row. */
export function defineRemoval(kind: string, table: IdTable, dependants: readonly Dependants[] = []): Removal {
  return {
    async store(ctx, tx, { siteId, id, by }) {
      // Locked against everything, so that no dependant is added between here and the deletion.
      const main = await tx
        .select({ row: asJson(table) })
        .from(table)
        .where(eq(table.id, id))
        .for('update');
      if (main.length === 0) return;
      const rows: Record<string, StoredRow[]> = { [getTableName(table)]: main.map(({ row }) => row) };
      for (const { table: dependant, of, most, order = [], without } of dependants) {
        const query = tx
          .select({ row: asJson(dependant, without) })
          .from(dependant)
          .where(eq(of, id))
          .orderBy(...order);
        rows[getTableName(dependant)] = (await (most === undefined ? query : query.limit(most))).map(({ row }) => row);
      }
      await tx.insert(removals).values({ kind, id, siteId, removedBy: by, rows, at: new Date(ctx.now()) });
      await dropOldest(tx, by);
    },
    async restore(ctx, tx, { siteId, id, by }) {
      const [stored] = await tx
        .delete(removals)
        .where(and(eq(removals.kind, kind), eq(removals.id, id), ofSite(siteId), eq(removals.removedBy, by), gt(removals.at, new Date(ctx.now() - undoableMs))))
        .returning({ rows: removals.rows });
      if (!stored) return fail('not_found');
      try {
        for (const part of [table, ...dependants.map((one) => one.table)]) await insertAgain(tx, part, stored.rows[getTableName(part)] ?? []);
      } catch (error) {
        if (violatedConstraint(error) !== null) fail('place_taken', { cause: error });
        if (violatesForeignKey(error)) fail('parent_gone', { cause: error });
        throw error;
      }
    },
  };
}

const ofSite = (siteId: string | null) => (siteId === null ? isNull(removals.siteId) : eq(removals.siteId, siteId));
const asJson = (table: PgTable, without?: PgColumn) =>
  without === undefined ? sql<StoredRow>`to_jsonb(${table})` : sql<StoredRow>`to_jsonb(${table}) - ${without.name}::text`;

/** Columns that were added since the removal get their default value. */
async function insertAgain(tx: Tx, table: PgTable, rows: readonly StoredRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.values<PgColumn>(getTableColumns(table)).filter(({ name }) => name in first);
  const list = sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  await tx.execute(
    sql`INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, ${JSON.stringify(rows)}::jsonb)`,
  );
}

async function dropOldest(tx: Tx, by: string): Promise<void> {
  const own = eq(removals.removedBy, by);
  const oldest = tx.select({ id: removals.id }).from(removals).where(own).orderBy(desc(removals.at), asc(removals.id)).offset(mostPerPerson);
  await tx.delete(removals).where(and(own, inArray(removals.id, oldest)));
}

/** A removal of which a row names this person, such as a notice to them, can no longer be undone. */
export const forgetRemovals = (tx: Pick<NodePgDatabase, 'delete'>, userId: string) =>
  tx.delete(removals).where(like(sql`${removals.rows}::text`, `%${userId}%`));

/** Hourly: deletes removals that can no longer be undone. */
export async function sweepRemovals(ctx: Pick<Context, 'now' | 'postgres'>): Promise<void> {
  await ctx.postgres.db.delete(removals).where(lte(removals.at, new Date(ctx.now() - undoableMs)));
}
