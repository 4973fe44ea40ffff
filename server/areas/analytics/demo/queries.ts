import { and, asc, eq, ne } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { jobs } from '../../../worker/schema';
import { sites } from '../../sites/schema';

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

/** Whether a traffic job was ever created for the site, in any state: a cancelled job was cancelled deliberately and is not repeated. */
export const hasDemoJob = async (db: Db, siteId: string): Promise<boolean> =>
  (
    await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.kind, 'demo.traffic'), eq(jobs.siteId, siteId)))
      .limit(1)
  ).length > 0;
