import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { JobKind } from '../../worker';
import { jobs } from '../../worker/schema';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

type Db = Pick<NodePgDatabase, 'select'>;

/** The existing demo site; a site in the bin does not count, because a person put it there. */
export const findDemoSite = async (db: Db): Promise<typeof sites.$inferSelect | null> =>
  (
    await db
      .select()
      .from(sites)
      .where(and(eq(sites.demo, true), ne(sites.state, 'deleted')))
      .orderBy(asc(sites.createdAt))
      .limit(1)
  )[0] ?? null;

/** Whether a job of this kind was ever created for the site, in any state: a cancelled job was cancelled deliberately and is not repeated. */
export const hasDemoJob = async (db: Db, kind: JobKind, siteId: string): Promise<boolean> =>
  (
    await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.kind, kind), eq(jobs.siteId, siteId)))
      .limit(1)
  ).length > 0;

/** The first owner, who is the author of the demo site's content; null before the installation is set up. */
export const firstOwner = async (db: Db): Promise<Pick<typeof users.$inferSelect, 'id' | 'locale'> | null> =>
  (
    await db
      .select({ id: users.id, locale: users.locale })
      .from(users)
      .where(and(eq(users.role, 'owner'), eq(users.disabled, false), isNull(users.deletedAt)))
      .orderBy(asc(users.createdAt))
      .limit(1)
  )[0] ?? null;
