import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { RuleId } from '../../../../contract/crawler/rules';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { defineJob, enqueue } from '../../../worker';
import { DAY } from '../../../zone';
import { recheckUrl } from './recheck';

/** What other redirects may have fixed. */
const rules: readonly RuleId[] = ['redirect_loop', 'redirect_chain', 'redirect_temporary', 'http_client_error'];
/** Addresses of one job, those with the most visits first. */
const mostAddresses = 50;
/** Milliseconds before an address that still has such an issue is requested again: other processes may deliver the earlier release for a moment. */
const pauses = [0, 1000, 4000];

type Address = { readonly crawler: string; readonly url: string };

/**
 * Addresses with an issue that redirects of the site may cause, and if `fixedSince` is given, those where such an issue was fixed since then, because it may be back. Only
 * those that the last run of a crawler requested, and that are the site's own: its redirects do nothing elsewhere.
 */
async function addressesOf(db: Pick<NodePgDatabase, 'execute'>, siteId: string, fixedSince: Date | null): Promise<readonly Address[]> {
  const { rows } = await db.execute<Address>(sql`
    SELECT i.crawler_id AS crawler, u.url FROM crawlers c
      JOIN LATERAL (SELECT r.id, r.verified FROM crawl_runs r WHERE r.crawler_id = c.id AND r.finished_at IS NOT NULL ORDER BY r.number DESC LIMIT 1) last ON last.verified
      JOIN crawl_issues i ON i.crawler_id = c.id
      JOIN crawl_pages p ON p.run_id = last.id AND p.url_id = i.url_id
      JOIN crawl_urls u ON u.site_id = i.site_id AND u.id = i.url_id
    WHERE c.site_id = ${siteId} AND i.rule = ANY(${sql.param([...rules])}::text[])
      AND (i.state IN ('open', 'regressed') OR i.state = 'fixed' AND i.changed_at >= ${fixedSince?.toISOString() ?? null}::timestamptz)
    GROUP BY 1, 2 ORDER BY max(i.impact) DESC, u.url LIMIT ${mostAddresses}`);
  return rows;
}

/** An address that cannot be checked now is left to the next run; it must not keep the others from being checked. */
async function recheck(ctx: Context, { crawler, url }: Address): Promise<void> {
  try {
    await recheckUrl(ctx, crawler, url);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** Requests addresses that redirects may have fixed until none has such an issue, at most three times. */
export const recheckJob = defineJob('crawler.recheck', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) return;
  const { db } = ctx.postgres;
  let open = await addressesOf(db, siteId, new Date(ctx.now() - DAY));
  const total = open.length;
  for (const pause of pauses) {
    if (open.length === 0) return;
    await delay(pause, undefined, { signal: job.signal }).catch(() => undefined);
    for (const [at, address] of open.entries()) {
      await job.progress(Math.max(0, total - open.length + at), total);
      await recheck(ctx, address);
    }
    open = await addressesOf(db, siteId, null);
  }
});

/** After a release with other redirects: checks the addresses with issues that these may have fixed. Without any, there is nothing to do. `db`: the transaction of the release. */
export async function recheckRedirects(
  ctx: Context,
  site: { readonly id: string; readonly name: string; readonly userId: string | null },
  db: Pick<NodePgDatabase, 'execute' | 'select' | 'insert' | 'update' | 'delete'>,
): Promise<void> {
  if ((await addressesOf(db, site.id, new Date(ctx.now() - DAY))).length === 0) return;
  await enqueue(ctx, 'crawler.recheck', { siteId: site.id, label: site.name, createdBy: site.userId }, db);
}
