import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

type Executor = Pick<NodePgDatabase, 'execute'>;

/**
 * Locks what `storeIssueCounts` counts for. A transaction that also changes issues begins with it: deleting a crawler locks it before its issues, so the opposite order
 * would be a deadlock. Runs that store findings do not wait for it.
 */
export const lockIssueCounts = (tx: Executor, crawlerId: string) => tx.execute(sql`SELECT FROM crawlers WHERE id = ${crawlerId}::uuid FOR NO KEY UPDATE`);

/**
 * Stores how many issues of a crawler are open, and how many each of its runs found and fixed: a site may have hundreds of thousands, which no list of crawlers should
 * count. Called whenever they have changed, but for a run only at its end. The lock makes whoever counts last see everything that others have committed.
 */
export async function storeIssueCounts(tx: Executor, crawlerId: string): Promise<void> {
  await lockIssueCounts(tx, crawlerId);
  await tx.execute(sql`
    UPDATE crawlers SET open_issues = (
      SELECT jsonb_build_object('error', count(*) FILTER (WHERE severity = 'error'), 'warning', count(*) FILTER (WHERE severity = 'warning'),
        'notice', count(*) FILTER (WHERE severity = 'notice'))
      FROM crawl_issues WHERE crawler_id = ${crawlerId}::uuid AND state IN ('open', 'regressed'))
    WHERE id = ${crawlerId}::uuid`);
  await tx.execute(sql`
    WITH found AS (
      SELECT first_run, count(*) AS n, count(*) FILTER (WHERE severity = 'error') AS errors FROM crawl_issues WHERE crawler_id = ${crawlerId}::uuid GROUP BY 1
    ), fixed AS (
      SELECT fixed_run, count(*) AS n FROM crawl_issues WHERE crawler_id = ${crawlerId}::uuid AND fixed_run IS NOT NULL GROUP BY 1
    ), changes AS (
      SELECT r.id, jsonb_build_object('found', coalesce(found.n, 0), 'errors', coalesce(found.errors, 0), 'fixed', coalesce(fixed.n, 0)) AS counted
      FROM crawl_runs r LEFT JOIN found ON found.first_run = r.number LEFT JOIN fixed ON fixed.fixed_run = r.number WHERE r.crawler_id = ${crawlerId}::uuid
    )
    UPDATE crawl_runs r SET issue_changes = changes.counted FROM changes WHERE r.id = changes.id AND r.issue_changes <> changes.counted`);
}
