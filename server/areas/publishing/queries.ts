import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Context } from '../../context';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import type { Redirect } from '../../../contract/publishing/redirects';
import { liveReleases, releases } from './schema';

type Db = Pick<Context['postgres']['db'], 'select' | 'insert' | 'update'>;
/** Releases in which a redirect is looked for. */
const mostReleases = 100;
export type ReleaseRow = typeof releases.$inferSelect;
export type NewRelease = typeof releases.$inferInsert;
/** A release with the name of its author, null if the account no longer exists, and whether visitors get it. */
export type FoundRelease = { readonly row: ReleaseRow; readonly author: string | null; readonly live: boolean };

const select = (db: Db) =>
  db
    .select({ row: releases, author: users.displayName, liveId: liveReleases.releaseId })
    .from(releases)
    .leftJoin(users, eq(users.id, releases.createdBy))
    .leftJoin(liveReleases, eq(liveReleases.siteId, releases.siteId));
const found = ({ row, author, liveId }: { row: ReleaseRow; author: string | null; liveId: string | null }): FoundRelease => ({
  row,
  author,
  live: liveId === row.id,
});

/** The newest first, below a number. */
export async function listReleases(db: Db, siteId: string, before: number | undefined, most: number): Promise<FoundRelease[]> {
  const rows = await select(db)
    .where(and(eq(releases.siteId, siteId), before === undefined ? undefined : lt(releases.number, before)))
    .orderBy(desc(releases.number))
    .limit(most);
  return rows.map(found);
}

export async function findRelease(db: Db, siteId: string, id: string): Promise<FoundRelease | null> {
  const [row] = await select(db).where(and(eq(releases.siteId, siteId), eq(releases.id, id)));
  return row ? found(row) : null;
}

export async function liveRelease(db: Db, siteId: string): Promise<ReleaseRow | null> {
  const [row] = await db
    .select({ row: releases })
    .from(releases)
    .innerJoin(liveReleases, eq(liveReleases.releaseId, releases.id))
    .where(eq(liveReleases.siteId, siteId));
  return row?.row ?? null;
}

/** By site: when its live release was published. Sites without one are absent. */
export async function releasedAt(db: Db, siteIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .select({ siteId: liveReleases.siteId, at: releases.publishedAt })
    .from(releases)
    .innerJoin(liveReleases, eq(liveReleases.releaseId, releases.id))
    .where(inArray(liveReleases.siteId, [...siteIds]));
  return new Map(rows.flatMap(({ siteId, at }) => (at === null ? [] : [[siteId, at]])));
}

/** The release since which a redirect has been live without a break; null: it is not live. */
export async function redirectSince(
  { postgres: { db } }: Pick<Context, 'postgres'>,
  siteId: string,
  { from, to, status }: Pick<Redirect, 'from' | 'to' | 'status'>,
): Promise<{ readonly number: number; readonly publishedAt: string | null } | null> {
  const rule = JSON.stringify([{ from, to, status }]);
  const { rows } = await db.execute<{ number: number; publishedAt: Date | string | null; has: boolean }>(sql`
    select r.number, r.published_at as "publishedAt", c.content @> ${rule}::jsonb as has
    from releases r join part_contents c on c.site_id = r.site_id and c.sha256 = r.parts->>'redirects'
    where r.site_id = ${siteId} and r.state = 'published' order by r.published_at desc, r.number desc limit ${mostReleases}`);
  const end = rows.findIndex(({ has }) => !has);
  const first = rows.at(end === -1 ? rows.length - 1 : end - 1);
  if (end === 0 || first === undefined) return null;
  return { number: first.number, publishedAt: first.publishedAt === null ? null : new Date(first.publishedAt).toISOString() };
}

/** Published after a release, the last first. A scheduled release may be published after those with higher numbers. */
export const publishedAfter = (db: Db, { siteId, number, publishedAt }: ReleaseRow): Promise<ReleaseRow[]> =>
  db
    .select()
    .from(releases)
    .where(
      and(
        eq(releases.siteId, siteId),
        eq(releases.state, 'published'),
        or(gt(releases.publishedAt, publishedAt ?? new Date(0)), and(eq(releases.publishedAt, publishedAt ?? new Date(0)), gt(releases.number, number))),
      ),
    )
    .orderBy(desc(releases.publishedAt), desc(releases.number));

/** The number of the next release; the caller has locked the site. */
export async function nextNumber(db: Db, siteId: string): Promise<number> {
  const [last] = await db.select({ number: releases.number }).from(releases).where(eq(releases.siteId, siteId)).orderBy(desc(releases.number)).limit(1);
  return (last?.number ?? 0) + 1;
}

export async function insertRelease(db: Db, row: NewRelease): Promise<ReleaseRow> {
  const [stored] = await db.insert(releases).values(row).returning();
  if (!stored) throw new Error('a release was not stored');
  return stored;
}

export const makeLive = async (db: Db, siteId: string, releaseId: string): Promise<void> =>
  void (await db.insert(liveReleases).values({ siteId, releaseId }).onConflictDoUpdate({ target: liveReleases.siteId, set: { releaseId } }));

/** Changes a release that is still scheduled; null if it is not. */
export async function endSchedule(db: Db, id: string, change: Partial<NewRelease>): Promise<ReleaseRow | null> {
  const [row] = await db
    .update(releases)
    .set(change)
    .where(and(eq(releases.id, id), eq(releases.state, 'scheduled')))
    .returning();
  return row ?? null;
}

/** Locks a release that is still scheduled; null if it is not. */
export async function lockScheduled(db: Db, id: string): Promise<ReleaseRow | null> {
  const [row] = await db
    .select()
    .from(releases)
    .where(and(eq(releases.id, id), eq(releases.state, 'scheduled')))
    .for('update');
  return row ?? null;
}

/** Scheduled releases whose time has come, the earliest first. Those of a site in the bin wait until it is restored. */
export async function dueReleases(db: Db, now: Date): Promise<ReleaseRow[]> {
  const rows = await db
    .select({ row: releases })
    .from(releases)
    .innerJoin(sites, and(eq(sites.id, releases.siteId), isNull(sites.deletedAt)))
    .where(and(eq(releases.state, 'scheduled'), lte(releases.scheduledFor, now)))
    .orderBy(asc(releases.scheduledFor), asc(releases.number));
  return rows.map(({ row }) => row);
}
