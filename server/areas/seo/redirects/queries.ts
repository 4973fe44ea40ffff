import { and, count, desc, eq, gt, gte, ilike, inArray, max, sum } from 'drizzle-orm';
import type { Context } from '../../../context';
import { notFoundPaths, redirectHits } from './schema';
import { containing } from '../../../stores/postgres/like';

type Db = Pick<Context['postgres']['db'], 'select' | 'update' | 'delete'>;
export type NotFoundRow = typeof notFoundPaths.$inferSelect;
type NotFoundQuery = {
  readonly page: number;
  readonly size: number;
  readonly q?: string | undefined;
  readonly ignored: boolean;
  readonly by: 'people' | 'bots';
};

/** Paths that people, or programs, have requested, the most requested first. */
export async function listNotFound(db: Db, siteId: string, { page, size, q, ignored, by }: NotFoundQuery): Promise<{ rows: NotFoundRow[]; total: number }> {
  const requests = notFoundPaths[by];
  const where = and(
    eq(notFoundPaths.siteId, siteId),
    eq(notFoundPaths.ignored, ignored),
    gt(requests, 0),
    q === undefined || q === '' ? undefined : ilike(notFoundPaths.path, containing(q)),
  );
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(notFoundPaths)
      .where(where)
      .orderBy(desc(requests), desc(notFoundPaths.lastAt), notFoundPaths.path)
      .limit(size)
      .offset((page - 1) * size),
    db.select({ total: count() }).from(notFoundPaths).where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Returns how many paths changed. */
export async function ignorePaths(db: Db, siteId: string, paths: readonly string[], ignored: boolean): Promise<number> {
  const changed = await db
    .update(notFoundPaths)
    .set({ ignored })
    .where(and(eq(notFoundPaths.siteId, siteId), inArray(notFoundPaths.path, [...paths]), eq(notFoundPaths.ignored, !ignored)))
    .returning({ path: notFoundPaths.path });
  return changed.length;
}

/** Forgets a path that leads to a page again. */
export const removePath = async (db: Db, siteId: string, path: string): Promise<void> =>
  void (await db.delete(notFoundPaths).where(and(eq(notFoundPaths.siteId, siteId), eq(notFoundPaths.path, path))));

/** Uses of redirects since a day. */
export async function hitsSince(db: Db, siteId: string, day: string): Promise<{ from: string; hits: number; lastOn: string }[]> {
  const rows = await db
    .select({ from: redirectHits.from, hits: sum(redirectHits.hits), lastOn: max(redirectHits.day) })
    .from(redirectHits)
    .where(and(eq(redirectHits.siteId, siteId), gte(redirectHits.day, day)))
    .groupBy(redirectHits.from);
  return rows.map(({ from, hits, lastOn }) => ({ from, hits: Number(hits), lastOn: lastOn ?? day }));
}
