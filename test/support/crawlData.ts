import { createHash, randomUUID } from 'node:crypto';
import { defaultConfig } from '../../contract/crawler/config';
import { emptyFacts } from '../../contract/crawler/emptyFacts';
import type { IndexReason, IssueState, LinkKind, LinkPosition, RunState, Severity } from '../../contract/crawler/terms';
import { urlFamily } from '../../contract/crawler/urlFamily';
import { urlId } from '../../server/areas/crawler/engine/urlId';
import { storeIssueCounts } from '../../server/areas/crawler/rules/counts';
import { crawlers, crawlFindings, crawlFrontier, crawlIssues, crawlPages, crawlRuns, crawlUrls } from '../../server/areas/crawler/schema';
import { emptyCounters } from '../../server/areas/crawler/counters';
import type { Context } from '../../server/context';

type Stores = Pick<Context, 'postgres' | 'clickhouse'>;
type StoredPage = typeof crawlPages.$inferInsert;

/** A page as a test describes it; everything else is that of an ordinary page. */
export type SeedPage = { readonly url: string } & Partial<Omit<StoredPage, 'runId' | 'urlId' | 'redirectTo' | 'canonicalId' | 'textHash' | 'sha'>> & {
    readonly redirectTo?: string;
    readonly canonical?: string;
    /** Its main text, of which only the hash is stored. */
    readonly content?: string;
  };
export type SeedLink = { readonly from: string; readonly to: string; readonly anchor?: string; readonly kind?: LinkKind; readonly position?: LinkPosition };
export type SeedIssue = {
  readonly rule: string;
  readonly url: string | null;
  readonly severity?: Severity;
  readonly state?: IssueState;
  readonly impact?: number;
  readonly firstRun?: number;
  readonly fixedRun?: number;
  readonly detail?: Readonly<Record<string, string | number>>;
};
export type SeedRun = {
  readonly pages: readonly SeedPage[];
  readonly links?: readonly SeedLink[];
  readonly issues?: readonly SeedIssue[];
  /** Addresses of sitemaps that were not requested. */
  readonly skipped?: readonly string[];
  readonly state?: RunState;
  readonly score?: number;
};

const batch = 500;
async function inBatches<R>(rows: readonly R[], write: (part: R[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += batch) await write(rows.slice(at, at + batch));
}
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const indexReasonOf = ({ status = 200, html = true }: SeedPage): IndexReason =>
  status === 0 ? 'error' : status >= 400 ? 'status' : status >= 300 ? 'redirect' : html ? 'ok' : 'not_html';

/** Stores what a crawl has found, without one: `run` adds one more run of the crawler, which has ended. */
export async function seedCrawler({ postgres, clickhouse }: Stores, siteId: string, { name = 'Audit', now = Date.now() } = {}) {
  const { db } = postgres;
  const crawlerId = randomUUID();
  const at = new Date(now);
  const config = defaultConfig(['https://tea.example/']);
  await db.insert(crawlers).values({ id: crawlerId, siteId, name, kind: 'audit', config, timeZone: 'UTC', createdAt: at, updatedAt: at });
  const idOf = (url: string): number => urlId(siteId, url);
  const rowOfUrl = (url: string) => {
    const { host, pathname, search } = new URL(url);
    return { id: idOf(url), siteId, url, host, family: urlFamily(pathname + search) };
  };
  let number = 0;

  function pageRow(runId: string, fetchedAt: Date, page: SeedPage): StoredPage {
    const { url, redirectTo, canonical, content = url, ...rest } = page;
    const reason = rest.indexReason ?? indexReasonOf(page);
    return {
      internal: true,
      html: true,
      status: 200,
      mime: 'text/html',
      wireBytes: 4000,
      bytes: 12_000,
      connectMs: 4,
      firstByteMs: 60,
      totalMs: 90,
      reused: false,
      template: 'a',
      title: null,
      language: 'en',
      units: 300,
      depth: 1,
      linksIn: 1,
      linksInternal: 1,
      linksExternal: 0,
      pageRank: 0.01,
      facts: emptyFacts(),
      fetchedAt,
      ...rest,
      indexReason: reason,
      indexable: reason === 'ok',
      textHash: hashOf(content),
      runId,
      urlId: idOf(url),
      redirectTo: redirectTo === undefined ? null : idOf(redirectTo),
      canonicalId: canonical === undefined ? null : idOf(canonical),
    };
  }

  async function run({ pages, links = [], issues = [], skipped = [], state = 'completed', score = 80 }: SeedRun) {
    const runId = randomUUID();
    number += 1;
    const start = new Date(now + number * 60_000);
    const count = (severity: Severity): number => issues.filter((one) => (one.severity ?? 'warning') === severity).length;
    const counters = { ...emptyCounters, pages: pages.length, issues: { error: count('error'), warning: count('warning'), notice: count('notice') } };
    const times = { createdAt: start, startedAt: start, finishedAt: start };
    await db.insert(crawlRuns).values({ id: runId, crawlerId, siteId, number, trigger: 'manual', state, config, verified: true, counters, score, ...times });
    const urls = new Set([
      ...pages.flatMap(({ url, redirectTo, canonical }) => [url, redirectTo, canonical]),
      ...links.flatMap(({ from, to }) => [from, to]),
      ...issues.map(({ url }) => url),
      ...skipped,
    ]);
    const known = [...urls].filter((url) => typeof url === 'string').map(rowOfUrl);
    await inBatches(known, (part) => db.insert(crawlUrls).values(part).onConflictDoNothing());
    await inBatches(pages, (part) => db.insert(crawlPages).values(part.map((page) => pageRow(runId, start, page))));
    const frontier = [
      ...pages.map(({ url, depth = 1 }) => ({ url, depth, source: depth === 0 ? ('seed' as const) : ('link' as const), state: 1, skipReason: null })),
      ...skipped.map((url) => ({ url, depth: 1, source: 'sitemap' as const, state: 2, skipReason: 'robots' as const })),
    ];
    await inBatches(frontier, (part) => db.insert(crawlFrontier).values(part.map(({ url, ...rest }) => ({ ...rest, runId, urlId: idOf(url), priority: 1 }))));
    await clickhouse.insert(
      'crawl_links',
      links.map(({ from, to, anchor = 'Tea', kind = 'a', position = 'main' }, at2) => ({
        site_id: siteId,
        run_id: runId,
        src: idOf(from),
        position: at2,
        dst: idOf(to),
        kind,
        place: position,
        anchor,
        fragment: '',
        nofollow: 0,
        sponsored: 0,
        ugc: 0,
        internal: 1,
        written: '',
      })),
    );
    await inBatches(issues, (part) => storeIssues(runId, start, part));
    await db.transaction((tx) => storeIssueCounts(tx, crawlerId));
    return { runId, number };
  }

  /** Issues that the crawler has already go on; `fixed` ones have no finding. */
  async function storeIssues(runId: string, at2: Date, issues: readonly SeedIssue[]): Promise<void> {
    const rows = issues.map(({ rule, url, severity = 'warning', state = 'open', impact = 1, firstRun = number, fixedRun = null, detail = {} }) => ({
      crawlerId,
      siteId,
      rule,
      urlId: url === null ? null : idOf(url),
      fingerprint: hashOf(`${rule}\n${url ?? ''}`).subarray(0, 16),
      state,
      severity,
      detail,
      firstRun,
      lastRun: state === 'fixed' ? number - 1 : number,
      fixedRun,
      impact,
      changedAt: at2,
    }));
    const stored = await Promise.all(
      rows.map(async (row) => {
        const { state, lastRun, fixedRun, changedAt } = row;
        const change = { state, lastRun, fixedRun, changedAt };
        const target = [crawlIssues.crawlerId, crawlIssues.fingerprint];
        const [one] = await db.insert(crawlIssues).values(row).onConflictDoUpdate({ target, set: change }).returning({ id: crawlIssues.id });
        return { row, id: one?.id ?? 0 };
      }),
    );
    const found = stored.filter(({ row }) => row.state !== 'fixed');
    if (found.length > 0)
      await db.insert(crawlFindings).values(found.map(({ row, id }) => ({ runId, issueId: id, severity: row.severity, detail: row.detail })));
  }

  return { crawlerId, idOf, run };
}
