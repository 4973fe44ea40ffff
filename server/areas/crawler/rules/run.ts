import { activeRules, ruleIds, ruleOf } from '../../../../contract/crawler/rules';
import type { ActiveRules, RuleId } from '../../../../contract/crawler/rules';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import type { SiteObservations } from '../../../../contract/crawler/observations';
import type { Severity } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { FindingRun } from './finding';
import { storeIssueCounts } from './counts';
import { applyFindings, fixIssues } from './issues';
import { siteFindings, siteRuleIds } from './site';
import type { SiteAudit } from './site/audit';
import { readVisits } from './visits';
import type { PageVisits } from './visits';
import { writeImpacts, writeScore } from './weights';

/** Rules of pages that runs evaluate once more with what they know at the end. A check of the page alone still shows that they are fixed. */
const completed: readonly RuleId[] = ['index_noindex', 'security_leak', 'link_depth'];
/** Rules whose findings at a page follow from that page alone. */
export const pageRuleIds: readonly RuleId[] = ruleIds.filter((id) => ruleOf(id).scope === 'page' && (completed.includes(id) || !siteRuleIds.includes(id)));

export type RunToAudit = FindingRun & {
  readonly config: CrawlerConfig;
  readonly verified: boolean;
  readonly isComplete: boolean;
  readonly observations: SiteObservations;
  readonly rules: ActiveRules;
  /** Whether no later run has ended: only the last run decides what is fixed. */
  readonly isLast: boolean;
  readonly previous: readonly string[];
};

type Row = {
  readonly crawler_id: string;
  readonly site_id: string;
  readonly number: number;
  readonly state: string;
  readonly config: CrawlerConfig;
  readonly verified: boolean;
  readonly observations: SiteObservations | null;
  readonly is_last: boolean;
};

/** Reads a run with what its audit needs. `config`: rules to evaluate instead of those of the run. Throws `not_found`. */
export async function readRun(
  ctx: Context,
  runId: string,
  { isComplete, audit }: { readonly isComplete?: boolean; readonly audit?: CrawlerConfig['audit'] } = {},
): Promise<RunToAudit> {
  const { pool } = ctx.postgres;
  const found = await pool.query<Row>(
    `SELECT r.crawler_id, r.site_id, r.number, r.state, r.config, r.verified, r.observations,
       NOT EXISTS (SELECT 1 FROM crawl_runs l WHERE l.crawler_id = r.crawler_id AND l.number > r.number AND l.finished_at IS NOT NULL) AS is_last
     FROM crawl_runs r WHERE r.id = $1`,
    [runId],
  );
  const row = found.rows[0] ?? fail('not_found');
  const before = await pool.query<{ id: string }>(
    `SELECT id FROM crawl_runs WHERE crawler_id = $1 AND number < $2 AND state = 'completed' ORDER BY number DESC LIMIT 20`,
    [row.crawler_id, row.number],
  );
  return {
    id: runId,
    crawlerId: row.crawler_id,
    siteId: row.site_id,
    number: row.number,
    config: row.config,
    verified: row.verified,
    isComplete: isComplete ?? row.state === 'completed',
    observations: row.observations ?? { hosts: [] },
    rules: activeRules(audit ?? row.config.audit),
    isLast: row.is_last,
    previous: before.rows.map(({ id }) => id),
  };
}

async function applySiteRules(ctx: Context, run: RunToAudit, visits: PageVisits, tick: () => Promise<void>): Promise<void> {
  const { rules, isComplete, observations, previous } = run;
  const audit: SiteAudit = { ctx, run, rules, isComplete, observations, visits, previous };
  for await (const findings of siteFindings(audit)) {
    await applyFindings(ctx.postgres.db, run, findings, new Date(ctx.now()));
    await tick();
  }
}

export type AuditResult = { readonly score: number; readonly issues: Readonly<Record<Severity, number>> };

/**
 * Ends the audit of a run whose pages, links, ranks and findings of pages are stored: rules of the site, what is fixed, impacts, score. May be repeated. `isComplete`:
 * the run read everything it found; one that was stopped or limited fixes only what it read itself.
 */
export async function auditRun(
  ctx: Context,
  runId: string,
  options: { readonly isComplete?: boolean; readonly audit?: CrawlerConfig['audit']; readonly tick?: () => Promise<void> } = {},
): Promise<AuditResult> {
  const run = await readRun(ctx, runId, options);
  const visits = await readVisits(ctx, run.siteId);
  await applySiteRules(ctx, run, visits, options.tick ?? (() => Promise.resolve()));
  const now = new Date(ctx.now());
  if (run.isLast && run.isComplete) await fixIssues(ctx.postgres.db, run, { rules: ruleIds, addresses: 'all' }, now);
  else if (run.isLast) await fixIssues(ctx.postgres.db, run, { rules: pageRuleIds, addresses: 'read' }, now);
  await ctx.postgres.db.transaction((tx) => storeIssueCounts(tx, run.crawlerId));
  await writeImpacts(ctx, run, visits);
  return writeScore(ctx, run);
}
