import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { JobKind } from '../../worker';
import { jobs } from '../../worker/schema';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

type Db = Pick<NodePgDatabase, 'select'>;

type DemoSite = typeof sites.$inferSelect;
/** A site in the bin does not count, because a person put it there. */
async function findDemo(db: Db, purpose: DemoSite['purpose']): Promise<DemoSite | null> {
  const isDemo = and(eq(sites.demo, true), eq(sites.purpose, purpose), ne(sites.state, 'deleted'));
  const [found] = await db.select().from(sites).where(isDemo).orderBy(asc(sites.createdAt)).limit(1);
  return found ?? null;
}

/** The existing demo site, whose pages are hosted elsewhere. */
export const findDemoSite = (db: Db): Promise<DemoSite | null> => findDemo(db, 'external');
/** The demo's blog, which this program delivers. */
export const findDemoBlog = (db: Db): Promise<DemoSite | null> => findDemo(db, 'built');

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
