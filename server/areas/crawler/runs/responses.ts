import type { z } from 'zod';
import { isOpenRun } from '../../../../contract/crawler/terms';
import type { Crawler, CrawlerSummary, CrawlRun, CrawlRunDetail } from '../../../../contract/crawler/schemas';
import type { Context } from '../../../context';
import { isVerified } from '../engine';
import { emptyCounters, noChanges } from '../counters';
import * as queries from './queries';
import type { CrawlerRecord, RunRecord } from './queries';
import { secretNames } from '../secrets';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export function runResponse(run: RunRecord): CrawlRun {
  const { discovered, queued, pages, skipped, errors, bytes, statuses, issues } = run.counters;
  // Until a run ends, there are no changes to count.
  const { found, fixed } = isOpenRun(run) ? noChanges : run.issueChanges;
  return {
    id: run.id,
    crawlerId: run.crawlerId,
    siteId: run.siteId,
    number: run.number,
    trigger: run.trigger,
    state: run.state,
    counters: { discovered, queued, pages, skipped, errors, bytes, statuses, issues },
    verified: run.verified,
    score: run.score,
    reason: run.reason,
    createdAt: run.createdAt.toISOString(),
    startedAt: iso(run.startedAt),
    finishedAt: iso(run.finishedAt),
    activeMs: run.activeMs,
    newIssues: found,
    fixedIssues: fixed,
    stored: !run.purged,
  };
}
/** Pages that a screen of a run lists. */
const recentMost = 20;
const speedWindow = 10_000;

async function progressOf(ctx: Context, run: RunRecord): Promise<CrawlRunDetail['progress']> {
  if (!isOpenRun(run)) return null;
  const { db } = ctx.postgres;
  const [speed, paused] = await Promise.all([queries.speedSince(db, run.id, new Date(ctx.now() - speedWindow)), queries.pausedFamilies(db, run.id)]);
  const running = run.state === 'running';
  const { hosts, workers, pace, pagesPerSecond, queued, pages } = { ...emptyCounters, ...run.counters };
  const remaining = Math.min(queued, Math.max(0, run.config.limits.pages - pages));
  return {
    pagesPerSecond: running ? pagesPerSecond : 0,
    bytesPerSecond: running ? (speed.bytes * 1000) / speedWindow : 0,
    latency: speed.median === null || speed.p95 === null ? null : { median: Math.round(speed.median), p95: Math.round(speed.p95) },
    remainingMs: running && pagesPerSecond > 0 ? Math.round((remaining / pagesPerSecond) * 1000) : null,
    hosts: hosts.map((host) => ({ ...host })),
    workers: running ? workers : 1,
    pace: running ? pace : null,
    pausedFamilies: paused,
  };
}

/** Runs of earlier versions counted less. */
function renderingOf({ counters }: RunRecord): CrawlRunDetail['rendering'] {
  const { needScripts, rendered, renderFailures, renderStop } = { ...emptyCounters, ...counters };
  return { needScripts, rendered, failures: renderFailures, stop: renderStop };
}

export async function runDetail(ctx: Context, run: RunRecord): Promise<CrawlRunDetail> {
  const { db } = ctx.postgres;
  const [progress, recent, rows] = await Promise.all([
    progressOf(ctx, run),
    queries.recentPages(db, run, recentMost),
    run.config.extractions.length === 0 ? [] : queries.extractionsOf(db, run.id),
  ]);
  return {
    ...runResponse(run),
    config: run.config,
    progress,
    rendering: renderingOf(run),
    recent: recent.map(({ at, ...page }) => ({ ...page, at: at.toISOString() })),
    rows,
  };
}

type Facts = Pick<Crawler, 'lastRun' | 'scores' | 'openIssues'>;
const scoresMost = 12;

/** What screens say about crawlers beyond their settings, by id. */
async function factsOf(ctx: Context, rows: readonly CrawlerRecord[]): Promise<(crawler: CrawlerRecord) => Facts> {
  const { db } = ctx.postgres;
  const ids = rows.map(({ id }) => id);
  const [runs, scores] = await Promise.all([queries.lastRuns(db, ids), queries.scoresOf(db, ids, scoresMost)]);
  const last = new Map(runs.map((run) => [run.crawlerId, runResponse(run)]));
  return ({ id, openIssues }) => ({ lastRun: last.get(id) ?? null, scores: scores.get(id) ?? [], openIssues });
}

/** Whether all hosts of some addresses are verified as the site's own. */
async function areVerified(ctx: Context, siteId: string, urls: readonly string[]): Promise<boolean> {
  const byOrigin = new Map(urls.map((url) => [new URL(url).origin, url]));
  for (const url of byOrigin.values()) if (!(await isVerified(ctx, siteId, url))) return false;
  return byOrigin.size > 0;
}

const settingsOf = (ctx: Context, row: CrawlerRecord) => ({
  id: row.id,
  siteId: row.siteId,
  name: row.name,
  kind: row.kind,
  schedule: row.schedule,
  timeZone: row.timeZone,
  enabled: row.enabled,
  retainedRuns: row.retainedRuns,
  alerts: row.alerts,
  secretNames: secretNames(ctx, row.secrets),
  nextAt: iso(row.nextAt),
  revision: row.revision,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export async function crawlerResponse(ctx: Context, row: CrawlerRecord): Promise<Crawler> {
  const [facts, verified] = await Promise.all([factsOf(ctx, [row]), areVerified(ctx, row.siteId, row.config.seeds)]);
  return { ...settingsOf(ctx, row), config: row.config, verified, ...facts(row) };
}

export async function crawlerSummaries(ctx: Context, rows: readonly CrawlerRecord[]): Promise<z.input<typeof CrawlerSummary>[]> {
  const facts = await factsOf(ctx, rows);
  return rows.map((row) => ({ ...settingsOf(ctx, row), ...facts(row), seed: row.config.seeds[0] ?? '', seeds: row.config.seeds.length }));
}
