import { and, eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { IssueChange, inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { lockIssueCounts, storeIssueCounts } from '../rules';
import { crawlRuns, crawlers } from '../schema';

type Select = IssueChange['select'];

/** The issues of a crawler that a change is about. */
function selected(select: Select): SQL {
  if ('ids' in select) return sql`i.id = any(${sql.param(select.ids.map(String))}::bigint[])`;
  if ('changedAt' in select) return sql`i.changed_at = ${select.changedAt}::timestamptz`;
  const { runId, rule, template } = select;
  const ofTemplate =
    template === undefined
      ? sql``
      : sql`and ${template === null ? sql`not` : sql``} exists (select from crawl_pages p where p.run_id = ${runId} and p.url_id = i.url_id
          and ${template === null ? sql`p.template is not null` : sql`p.template = ${template}`})`;
  return sql`i.rule = ${rule} and exists (select from crawl_findings f where f.run_id = ${runId} and f.issue_id = i.id) ${ofTemplate}`;
}

/** What an issue is that nobody ignores. */
const unignored = sql`coalesce(i.previous_state, 'open')`;

/** The new values, and the states that they replace. */
function changeSql({ change, reason = '', until = null }: IssueChange, userId: string, now: string): SQL[] {
  const ignore = sql`state = 'ignored', previous_state = case when i.state = 'ignored' then 'open' else i.state end, ignored_by = ${userId}::uuid, ignored_reason = ${reason}, ignored_until = ${until}::timestamptz`;
  if (change === 'ignore') return [ignore, sql`(i.state in ('open', 'regressed') or (i.state = 'ignored' and i.ignored_until <= ${now}::timestamptz))`];
  if (change === 'reopen') return [sql`state = ${unignored}`, sql`i.state = 'ignored'`];
  // What was reopened still has its reason.
  return [
    sql`state = case when i.state = 'ignored' then ${unignored} when i.ignored_reason is not null then 'ignored' else i.state end,
      ignored_reason = case when i.state = 'ignored' then null else i.ignored_reason end`,
    sql`true`,
  ];
}

/** Ignores issues of a crawler, reopens them, or takes such a change back. `changedAt` of the result selects what was changed. */
export async function changeIssues(ctx: Context, call: CallOf<typeof endpoints.changeCrawlIssues>): Promise<ResponseOf<typeof endpoints.changeCrawlIssues>> {
  const { params, body, session, site } = call;
  const { db } = ctx.postgres;
  if (body.change === 'undo' && !('changedAt' in body.select)) failField('select', 'wrong_type');
  if (body.change === 'ignore' && body.reason === '') failField('reason', 'required');
  if (body.until !== null && Date.parse(body.until) <= ctx.now()) failField('until', 'out_of_range');
  const [crawler] = await db.select({ name: crawlers.name }).from(crawlers).where(eq(crawlers.id, params.crawlerId));
  if (!crawler) return fail('not_found');
  if ('runId' in body.select) {
    const ofCrawler = and(eq(crawlRuns.id, body.select.runId), eq(crawlRuns.crawlerId, params.crawlerId));
    if ((await db.select({ id: crawlRuns.id }).from(crawlRuns).where(ofCrawler)).length === 0) return fail('not_found');
  }
  const at = new Date(ctx.now()).toISOString();
  const [values, before] = changeSql(body, session.userId, at) as [SQL, SQL];
  const changed = await db.transaction(async (tx) => {
    await lockIssueCounts(tx, params.crawlerId);
    const { rows } = await tx.execute<{ issues: number; ignored: boolean | null }>(sql`
      with changed as (
        update crawl_issues i set ${values}, changed_at = ${at}::timestamptz where i.crawler_id = ${params.crawlerId} and ${before} and ${selected(body.select)}
        returning i.state)
      select count(*)::int as issues, bool_or(state = 'ignored') as ignored from changed`);
    const { issues = 0, ignored = false } = rows[0] ?? {};
    if (issues > 0)
      await record(ctx, tx, actorOf(call), {
        // What was reopened is ignored again when that is undone.
        action: ignored ? 'crawlIssue.ignored' : 'crawlIssue.reopened',
        siteId: site.id,
        target: { kind: 'crawler', id: params.crawlerId, name: crawler.name },
        after: { issues, ...(body.change === 'ignore' ? { reason: body.reason, until: body.until } : {}) },
      });
    if (issues > 0) await storeIssueCounts(tx, params.crawlerId);
    return issues;
  });
  return { changed, changedAt: at };
}
