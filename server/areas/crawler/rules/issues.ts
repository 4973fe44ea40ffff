import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { ruleIds, ruleOf } from '../../../../contract/crawler/rules';
import type { RuleId } from '../../../../contract/crawler/rules';
import { storable } from '../engine';
import type { Finding, FindingRun } from './finding';

type Executor = Pick<NodePgDatabase, 'execute'>;

/** Findings per statement; one has a few hundred bytes. */
const batchSize = 1000;

/** The identity of an issue through all runs of a crawler: 16 bytes of SHA-256 of rule, address and subject, in hexadecimal. */
export const fingerprintOf = ({ rule, urlId, subject }: Pick<Finding, 'rule' | 'urlId' | 'subject'>): string =>
  hash('sha256', `${rule}\n${urlId ?? ''}\n${subject}`, 'hex').slice(0, 32);

async function applyBatch(tx: Executor, run: FindingRun, rows: readonly object[], now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  await tx.execute(sql`
    WITH input AS (
      SELECT * FROM jsonb_to_recordset(${storable(JSON.stringify(rows))}::jsonb) AS x(rule text, url bigint, fingerprint text, severity text, detail jsonb) ORDER BY fingerprint
    ), issues AS (
      INSERT INTO crawl_issues AS i (crawler_id, site_id, rule, url_id, fingerprint, state, severity, detail, first_run, last_run, impact, changed_at)
      SELECT ${run.crawlerId}::uuid, ${run.siteId}, rule, url, decode(fingerprint, 'hex'), 'open', severity, detail, ${run.number}::int, ${run.number}::int, 0, ${at} FROM input
      ON CONFLICT (crawler_id, fingerprint) DO UPDATE SET
        state = CASE WHEN i.last_run > excluded.last_run THEN i.state WHEN i.state = 'fixed' THEN 'regressed' WHEN i.state = 'ignored' AND i.ignored_until <= ${at} THEN 'open' ELSE i.state END,
        changed_at = CASE WHEN i.last_run <= excluded.last_run AND (i.state = 'fixed' OR i.state = 'ignored' AND i.ignored_until <= ${at}) THEN ${at} ELSE i.changed_at END,
        fixed_run = CASE WHEN i.last_run > excluded.last_run OR i.state <> 'fixed' THEN i.fixed_run END,
        severity = CASE WHEN i.last_run > excluded.last_run THEN i.severity ELSE excluded.severity END,
        detail = CASE WHEN i.last_run > excluded.last_run THEN i.detail ELSE excluded.detail END,
        first_run = least(i.first_run, excluded.first_run),
        last_run = greatest(i.last_run, excluded.last_run)
      RETURNING i.id, i.fingerprint
    )
    INSERT INTO crawl_findings (run_id, issue_id, severity, detail)
    SELECT ${run.id}::uuid, issues.id, input.severity, input.detail FROM issues JOIN input ON decode(input.fingerprint, 'hex') = issues.fingerprint ORDER BY issues.id
    ON CONFLICT (run_id, issue_id) DO UPDATE SET severity = excluded.severity, detail = excluded.detail`);
}

/**
 * Stores what a run found: new issues are open, fixed ones that come back have regressed, ignored ones stay ignored until their date. May be called again with the same
 * findings, so a batch that is written twice changes nothing; a finding of an older run than the last one leaves the state of its issue.
 */
export async function applyFindings(tx: Executor, run: FindingRun, findings: readonly Finding[], now: Date): Promise<void> {
  const rows = new Map<string, object>();
  for (const finding of findings) {
    const fingerprint = fingerprintOf(finding);
    const { rule, urlId: url, severity, detail } = finding;
    rows.set(fingerprint, { rule, url, fingerprint, severity, detail });
  }
  const all = [...rows.values()];
  for (let at = 0; at < all.length; at += batchSize) await applyBatch(tx, run, all.slice(at, at + batchSize), now);
}

/** Removes what rules found at addresses in a run, before what they find now is stored. `rules`: those that are evaluated again. */
export async function forgetFindings(
  tx: Executor,
  run: FindingRun,
  of: { readonly rules: readonly string[]; readonly urlIds?: readonly number[] },
): Promise<void> {
  const addresses = of.urlIds ? sql`AND i.url_id = ANY(${sql.param([...of.urlIds])}::bigint[])` : sql``;
  await tx.execute(sql`
    DELETE FROM crawl_findings f USING crawl_issues i
    WHERE f.run_id = ${run.id}::uuid AND i.id = f.issue_id AND i.rule = ANY(${sql.param([...of.rules])}::text[]) ${addresses}`);
}

/** What they find follows from the response alone, whether or not there is a page. */
export const responseRuleIds: readonly RuleId[] = ruleIds.filter((id) => ruleOf(id).group === 'http');

/** `rules`: those whose findings are complete for the addresses that count. */
type FixScope = {
  readonly rules: readonly string[];
  /** `all`: every address and the site; `read`: addresses that the run read; a list: those. */
  readonly addresses: 'all' | 'read' | readonly number[];
};

/** Marks issues that the run did not find again as fixed, but not those of a page whose server did not answer. Only for the last run of a crawler. */
export async function fixIssues(tx: Executor, run: FindingRun, { rules, addresses }: FixScope, now: Date): Promise<void> {
  const pages = sql`SELECT 1 FROM crawl_pages p WHERE p.run_id = ${run.id}::uuid AND p.url_id = i.url_id`;
  const isAnswered = sql`AND (i.rule = ANY(${sql.param([...responseRuleIds])}::text[])
    OR NOT EXISTS (${pages} AND (p.error IS NOT NULL OR p.status = 429 OR p.status >= 500)))`;
  const where =
    addresses === 'all'
      ? isAnswered
      : addresses === 'read'
        ? sql`AND EXISTS (${pages}) ${isAnswered}`
        : sql`AND i.url_id = ANY(${sql.param([...addresses])}::bigint[])`;
  await tx.execute(sql`
    UPDATE crawl_issues i SET state = 'fixed', fixed_run = ${run.number}::int, changed_at = ${now.toISOString()}::timestamptz
    WHERE i.crawler_id = ${run.crawlerId}::uuid AND i.state IN ('open', 'regressed') AND i.rule = ANY(${sql.param([...rules])}::text[]) ${where}
      AND NOT EXISTS (SELECT 1 FROM crawl_findings f WHERE f.run_id = ${run.id}::uuid AND f.issue_id = i.id)`);
}

/** Adds what a request of an address outside a run got to the details of its issues that are open or were fixed by it. `status`: after redirects; 0: no response. */
export async function noteRecheck(
  tx: Executor,
  run: FindingRun,
  urlId: number,
  { status, now }: { readonly status: number; readonly now: Date },
): Promise<void> {
  const at = now.toISOString();
  await tx.execute(sql`
    UPDATE crawl_issues SET detail = detail || jsonb_build_object('recheckStatus', ${status}::int, 'recheckedAt', ${at}::text)
    WHERE crawler_id = ${run.crawlerId}::uuid AND url_id = ${String(urlId)}::bigint AND (state IN ('open', 'regressed') OR state = 'fixed' AND changed_at = ${at}::timestamptz)`);
}
