import { setTimeout as delay } from 'node:timers/promises';
import type { RuleId } from '../../../../contract/crawler/rules';
import type { Context } from '../../../context';
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
type Executor = Pick<Context['postgres']['pool'], 'query'>;

/** Addresses of a site with an issue that a redirect may cause; among them those that were fixed a short time ago, if `fixedSince` is given, because it may be back. */
async function addressesOf(pool: Executor, siteId: string, fixedSince: Date | null = null): Promise<readonly Address[]> {
  const { rows } = await pool.query<Address>(
    `SELECT i.crawler_id AS crawler, u.url FROM crawlers c JOIN crawl_issues i ON i.crawler_id = c.id JOIN crawl_urls u ON u.site_id = i.site_id AND u.id = i.url_id
     WHERE c.site_id = $1 AND (i.state IN ('open', 'regressed') OR i.state = 'fixed' AND i.changed_at >= $4) AND i.rule = ANY($2) GROUP BY 1, 2 ORDER BY max(i.impact) DESC, u.url LIMIT $3`,
    [siteId, rules, mostAddresses, fixedSince],
  );
  return rows;
}

/** Requests addresses that redirects may have fixed until none has such an issue, at most three times. */
export const recheckJob = defineJob('crawler.recheck', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) return;
  const read = () => addressesOf(ctx.postgres.pool, siteId);
  let open = await addressesOf(ctx.postgres.pool, siteId, new Date(ctx.now() - DAY));
  const total = open.length;
  for (const pause of pauses) {
    if (open.length === 0) return;
    await delay(pause, undefined, { signal: job.signal }).catch(() => undefined);
    for (const { crawler, url } of open) {
      await job.progress(total - open.length, total);
      await recheckUrl(ctx, crawler, url);
    }
    open = await read();
  }
});

/** After a release with other redirects: checks the addresses with issues that these may have fixed. Nothing is to do without any. `db`: the transaction of the release. */
export async function recheckRedirects(
  ctx: Context,
  site: { readonly id: string; readonly name: string; readonly userId: string | null },
  db: NonNullable<Parameters<typeof enqueue>[3]>,
): Promise<void> {
  if ((await addressesOf(ctx.postgres.pool, site.id, new Date(ctx.now() - DAY))).length === 0) return;
  await enqueue(ctx, 'crawler.recheck', { siteId: site.id, label: site.name, createdBy: site.userId }, db);
}
