import { z } from 'zod';
import { ruleIds } from '../../../../contract/crawler/rules';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import type { Context } from '../../../context';
import { defineJob, enqueue } from '../../../worker';
import { storeIssueCounts } from './counts';
import type { Finding } from './finding';
import { applyFindings, forgetFindings } from './issues';
import { pageFindings } from './pages';
import { auditRun, readRun } from './run';
import type { AuditResult, RunToAudit } from './run';
import { storedPages } from './stored';

/** Called after each batch: pages done and pages in all. May throw to interrupt. */
type Progress = (done: number, total: number) => Promise<void>;

/**
 * Evaluates all rules again over what a run stored, without a request to the site: after a change of rules, with the present configuration of the crawler. May be
 * interrupted and repeated.
 */
export async function reauditRun(ctx: Context, runId: string, progress: Progress = () => Promise.resolve()): Promise<AuditResult> {
  const current = await ctx.postgres.pool.query<{ audit: CrawlerConfig['audit']; pages: string }>(
    `SELECT c.config->'audit' AS audit, (SELECT count(*) FROM crawl_pages p WHERE p.run_id = r.id) AS pages FROM crawl_runs r JOIN crawlers c ON c.id = r.crawler_id WHERE r.id = $1`,
    [runId],
  );
  const audit = current.rows[0]?.audit;
  const run = await readRun(ctx, runId, audit ? { audit } : {});
  try {
    return await evaluate(ctx, run, audit ?? run.config.audit, Number(current.rows[0]?.pages ?? 0), progress);
  } catch (error) {
    // Nobody repeats a cancelled job, but it may have stored issues.
    await ctx.postgres.db.transaction((tx) => storeIssueCounts(tx, run.crawlerId));
    throw error;
  }
}

async function evaluate(ctx: Context, run: RunToAudit, audit: CrawlerConfig['audit'], total: number, progress: Progress): Promise<AuditResult> {
  const { pool, db } = ctx.postgres;
  // A run must never look as if it had no issues: what was found goes in the transaction that stores the first batch, so a reader sees few of the new ones at worst.
  let isFirst = true;
  let done = 0;
  const store = async (findings: readonly Finding[]): Promise<void> => {
    await db.transaction(async (tx) => {
      if (isFirst) await forgetFindings(tx, run, { rules: ruleIds });
      await applyFindings(tx, run, findings, new Date(ctx.now()));
    });
    isFirst = false;
  };
  for await (const pages of storedPages(ctx, run)) {
    await store(pages.flatMap(({ urlId, page, facts, links }) => pageFindings(page, facts, links, run.rules).map((one) => ({ ...one, urlId }))));
    done += pages.length;
    await progress(done, total);
  }
  if (isFirst) await store([]);
  await pool.query(`UPDATE crawl_runs r SET config = jsonb_set(r.config, '{audit}', $2::jsonb) WHERE r.id = $1`, [run.id, JSON.stringify(audit)]);
  return auditRun(ctx, run.id, { tick: () => progress(total, total) });
}

const Input = z.object({ runId: z.uuid() });

export const auditJob = defineJob('crawler.audit', async (job, ctx) => {
  const { runId } = Input.parse(job.input);
  const { rows } = await ctx.postgres.pool.query<{ site_id: string }>('SELECT site_id FROM crawl_runs WHERE id = $1', [runId]);
  const siteId = rows[0]?.site_id;
  if (siteId === undefined) return;
  await reauditRun(ctx, runId, (done, total) => job.progress(done, total));
  ctx.live.publish({ type: 'crawl', siteId, runId });
});

/** Starts a new audit of a run as a job. `label`: the name of the crawler. */
export const enqueueAudit = (ctx: Context, run: { readonly id: string; readonly siteId: string; readonly label: string; readonly userId: string | null }) =>
  enqueue(ctx, 'crawler.audit', { siteId: run.siteId, label: run.label, input: { runId: run.id }, createdBy: run.userId });
