import type { inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import { isOpenRun } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { enqueueAudit, recheckUrl } from '../rules';
import { refsOf } from './pageQueries';
import { findRun } from './runs';

/** Reads one page again; issues that are fixed close at once. */
export async function recheckPage(ctx: Context, call: CallOf<typeof endpoints.recheckCrawledPage>): Promise<ResponseOf<typeof endpoints.recheckCrawledPage>> {
  const { site, params } = call;
  const { db } = ctx.postgres;
  const run = await findRun(db, site.id, params.crawlRunId);
  const page = (await refsOf(db, run, [params.urlId])).get(params.urlId) ?? fail('not_found');
  const result = await recheckUrl(ctx, run.crawlerId, page.url);
  const target = { kind: 'crawler', id: run.crawlerId, name: run.crawlerName };
  await record(ctx, db, actorOf(call), { action: 'crawlIssue.rechecked', siteId: site.id, target, after: { url: page.url, issues: result.open } });
  return result;
}

/** Evaluates all rules again over the stored pages of a run. */
export async function reaudit(ctx: Context, call: CallOf<typeof endpoints.reauditCrawl>): Promise<ResponseOf<typeof endpoints.reauditCrawl>> {
  const { site, params, session } = call;
  const { db } = ctx.postgres;
  const run = await findRun(db, site.id, params.crawlRunId);
  if (isOpenRun(run)) fail('bad_transition');
  const job = await enqueueAudit(ctx, { id: run.id, siteId: site.id, label: run.crawlerName, userId: session.userId });
  const target = { kind: 'crawler', id: run.crawlerId, name: run.crawlerName };
  await record(ctx, db, actorOf(call), { action: 'crawlIssue.reaudited', siteId: site.id, target, after: { number: run.number } });
  return { jobId: job.id };
}
