import { and, eq, isNull, max, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { UserRecord } from './queries';
import { users } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** Held until the transaction ends. */
const lock = (db: Db, name: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);

export const lockOwners = (db: Db) => lock(db, 'owners');

/** Owners who can sign in. */
export const activeOwners = async (db: Db): Promise<string[]> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'owner'), eq(users.disabled, false), isNull(users.deletedAt)))
  ).map((row) => row.id);

export const lockPerson = async (db: Db, id: string): Promise<UserRecord | null> =>
  (
    await db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
      .for('update')
  )[0] ?? null;

/** The next n of “deleted user n”. Numbers are consecutive and never reused. */
export async function nextNumber(db: Db): Promise<number> {
  await lock(db, 'deleted-users');
  const [row] = await db.select({ last: max(users.deletedNumber) }).from(users);
  return (row?.last ?? 0) + 1;
}

export const emptyPerson = (db: Db, id: string, values: Partial<UserRecord>) =>
  db
    .update(users)
    .set({ ...values, revision: sql`${users.revision} + 1` })
    .where(eq(users.id, id));
