import { and, eq, inArray, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { RunState } from '../../../../contract/crawler/terms';
import { urlFamily } from '../../../../contract/crawler/urlFamily';
import type { Context } from '../../../context';
import type { RunningJob } from '../../../worker';
import { crawlLeases, crawlRuns } from '../schema';
import { linkColumns, storable } from './batch';
import { storeBodies } from './bodies';
import { splitUrl } from './normalize';
import type { Batch, StoredEntry } from './protocol';
import { urlId } from './urlId';

export type JournalRun = {
  readonly id: string;
  readonly siteId: string;
  readonly crawlerId: string;
  readonly number: number;
  readonly jobId: string;
  /** Names the batches of one process. */
  readonly session: string;
};
type Finding = {
  readonly rule: string;
  readonly urlId: number;
  readonly subject: string;
  readonly severity: 'error' | 'warning' | 'notice';
  readonly detail: Readonly<Record<string, string | number>>;
};
type Transaction = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
/** Stores what rules of pages found, in the transaction of their pages. */
export type ApplyFindings = (
  tx: Transaction,
  run: Pick<JournalRun, 'id' | 'siteId' | 'crawlerId' | 'number'>,
  findings: readonly Finding[],
  now: Date,
) => Promise<void>;

const insertUrls = (json: string, siteId: string): SQL => sql`INSERT INTO crawl_urls (id, site_id, url, host, family)
  SELECT id, ${siteId}::text, url, host, family FROM json_to_recordset(${json}::json) AS x(id bigint, url text, host text, family text) ORDER BY id ON CONFLICT DO NOTHING`;
// What was read stays read: another worker may have read an address before this one writes that it was discovered.
const insertFrontier = (
  json: string,
  runId: string,
): SQL => sql`INSERT INTO crawl_frontier (run_id, url_id, depth, priority, from_url_id, hops, source, state, skip_reason, attempts)
  SELECT ${runId}::uuid, url_id, depth, priority, from_url_id, hops, source, state, skip_reason, attempts
  FROM json_to_recordset(${json}::json) AS x(url_id bigint, depth smallint, priority real, from_url_id bigint, hops smallint, source text, state smallint, skip_reason text, attempts smallint)
  ORDER BY url_id
  ON CONFLICT (run_id, url_id) DO UPDATE SET state = excluded.state, skip_reason = excluded.skip_reason, attempts = excluded.attempts
  WHERE crawl_frontier.state = 0 OR excluded.state <> 0`;
const insertPages = (json: string): SQL =>
  sql`INSERT INTO crawl_pages SELECT * FROM json_populate_recordset(NULL::crawl_pages, ${json}::json) ON CONFLICT (run_id, url_id) DO NOTHING`;
const insertRows = (json: string, runId: string): SQL => sql`INSERT INTO crawl_rows (run_id, extraction, url_id, row, values)
  SELECT ${runId}::uuid, extraction, url_id, row, values FROM json_to_recordset(${json}::json) AS x(extraction text, url_id bigint, row integer, values jsonb) ON CONFLICT DO NOTHING`;
const insertRobots = (json: string, runId: string, now: Date): SQL => sql`INSERT INTO crawl_robots (run_id, origin, status, body, failures, fetched_at)
  SELECT ${runId}::uuid, origin, status, body, failures, ${now.toISOString()}::timestamptz FROM json_to_recordset(${json}::json) AS x(origin text, status smallint, body text, failures smallint)
  ON CONFLICT (run_id, origin) DO UPDATE SET status = excluded.status, body = excluded.body, failures = excluded.failures, fetched_at = excluded.fetched_at`;
// What somebody decided stays decided.
const insertFamilies = (json: string, runId: string): SQL => sql`INSERT INTO crawl_families AS f (run_id, host, family, pages, waiting, state, reason)
  SELECT ${runId}::uuid, host, family, pages, waiting, state, reason FROM json_to_recordset(${json}::json) AS x(host text, family text, pages integer, waiting integer, state text, reason text)
  ON CONFLICT (run_id, host, family) DO UPDATE SET pages = excluded.pages, waiting = excluded.waiting,
    state = CASE WHEN f.state IN ('allowed', 'excluded') THEN f.state ELSE excluded.state END, reason = excluded.reason`;

const isEmpty = (list: string): boolean => list === '[]';

type Rows = Pick<Batch, 'urls' | 'frontier' | 'pages' | 'findings' | 'rows'>;
/** Writes what pages consist of in PostgreSQL. */
export async function writeRows(tx: Transaction, run: JournalRun, batch: Rows, applyFindings: ApplyFindings, now: Date): Promise<void> {
  const write = async (statement: (json: string) => SQL, json: string): Promise<void> => {
    if (!isEmpty(json)) await tx.execute(statement(json));
  };
  await write((json) => insertUrls(json, run.siteId), batch.urls);
  await write((json) => insertFrontier(json, run.id), batch.frontier);
  await write(insertPages, batch.pages);
  await write((json) => insertRows(json, run.id), batch.rows);
  const findings = JSON.parse(batch.findings) as Finding[];
  if (findings.length > 0) await applyFindings(tx, run, findings, now);
}
/** Under a token: a second insert of the batch changes nothing. */
export async function insertLinks(ctx: Context, run: JournalRun, { links, number }: Pick<Batch, 'links' | 'number'>): Promise<void> {
  if (links.byteLength > 0) await ctx.clickhouse.insertBytes('crawl_links', linkColumns, links, { token: `crawl ${run.id} ${run.session} ${number}` });
}
/** Deleting a run with its site or crawler erases the links that are there then, not those of a batch that was being written. */
export async function eraseIfDeleted(ctx: Context, { id, siteId }: JournalRun): Promise<void> {
  if ((await ctx.postgres.pool.query('SELECT 1 FROM crawl_runs WHERE id = $1', [id])).rowCount === 0) await eraseLinks(ctx, siteId, id);
}

/**
 * Writes a batch: bodies by their content, links, then everything else in one transaction, so that a batch is there as a whole or not at all. Returns the state of the run,
 * which others change.
 */
export async function writeBatch(
  ctx: Context,
  run: JournalRun,
  batch: Batch,
  { applyFindings, job }: { readonly applyFindings: ApplyFindings; readonly job: Pick<RunningJob, 'isHeld' | 'isAdvancing'> },
): Promise<RunState> {
  await storeBodies(ctx, run.siteId, batch.bodies);
  await insertLinks(ctx, run, batch);
  const now = new Date(ctx.now());
  const written = ctx.postgres.db.transaction(async (tx) => {
    // Another attempt of the job may have begun, and read what was written before: nothing is added to that.
    const isIdle = isEmpty(batch.pages) && batch.leases.length === 0;
    if (!(await (isIdle ? job.isHeld(tx) : job.isAdvancing(tx)))) throw new Error('the job was lost to another worker');
    await writeRows(tx, run, batch, applyFindings, now);
    if (!isEmpty(batch.robots)) await tx.execute(insertRobots(batch.robots, run.id, now));
    if (!isEmpty(batch.families)) await tx.execute(insertFamilies(batch.families, run.id));
    if (batch.leases.length > 0) await tx.delete(crawlLeases).where(inArray(crawlLeases.id, [...batch.leases]));
    // The same holds for another job of the run.
    const [row] = await tx
      .update(crawlRuns)
      .set({ counters: batch.counters, activeMs: batch.activeMs })
      .where(and(eq(crawlRuns.id, run.id), eq(crawlRuns.jobId, run.jobId)))
      .returning({ state: crawlRuns.state });
    if (!row) throw new Error('the run was deleted, or another job of it has begun');
    return row.state;
  });
  return written.catch(async (error: unknown) => {
    await eraseIfDeleted(ctx, run);
    throw error;
  });
}

/** Stores addresses that crawls may not have met, and returns their ids, in the same order. */
export async function storeAddresses(ctx: Context, siteId: string, urls: readonly string[]): Promise<number[]> {
  const rows = urls.map((url) => {
    const { host, rest } = splitUrl(url);
    return { id: urlId(siteId, url), url, host, family: urlFamily(rest) };
  });
  await ctx.postgres.db.execute(insertUrls(storable(JSON.stringify(rows)), siteId));
  return rows.map(({ id }) => id);
}

const perMessage = 5000;
/** Ids of one statement, which are a part of its address. */
const perDeletion = 5000;
/** The frontier as journalled, in chunks. Addresses are needed of those that wait, and of the first redirects. */
export async function* storedFrontier(ctx: Context, run: JournalRun): AsyncIterable<StoredEntry[]> {
  for (let last = -1; ;) {
    const { rows } = await ctx.postgres.pool.query<Omit<StoredEntry, 'id' | 'fromId'> & { id: string; fromId: string | null }>(
      `SELECT f.url_id AS id, CASE WHEN f.state = 0 OR (f.hops > 0 AND f.depth = 0) THEN u.url ELSE '' END AS url, f.depth, f.hops, f.source, f.from_url_id AS "fromId", f.attempts, f.state
       FROM crawl_frontier f JOIN crawl_urls u ON u.site_id = $2 AND u.id = f.url_id WHERE f.run_id = $1 AND f.url_id > $3 ORDER BY f.url_id LIMIT ${perMessage}`,
      [run.id, run.siteId, last],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => ({ ...row, id: Number(row.id), fromId: row.fromId === null ? null : Number(row.fromId) }));
    last = Number(rows.at(-1)?.id);
  }
}

/** Removes links of pages whose batch was not committed, of all or of some: their next version may have fewer. */
export async function removeUncommittedLinks(ctx: Context, run: JournalRun, among?: readonly number[]): Promise<void> {
  const params = { site: run.siteId, run: run.id };
  const sources = await ctx.clickhouse.query<{ src: string }>(
    `SELECT DISTINCT toString(src) AS src FROM crawl_links WHERE site_id = {site:String} AND run_id = {run:String} ${among === undefined ? '' : 'AND src IN {among:Array(UInt64)}'}`,
    { params: { ...params, ...(among === undefined ? {} : { among: [...among] }) } },
  );
  if (sources.length === 0) return;
  const { rows } = await ctx.postgres.pool.query<{ id: string }>(
    'SELECT x AS id FROM unnest($2::bigint[]) AS x WHERE NOT EXISTS (SELECT 1 FROM crawl_pages WHERE run_id = $1 AND url_id = x)',
    [run.id, sources.map(({ src }) => src)],
  );
  for (let at = 0; at < rows.length; at += perDeletion) {
    await ctx.clickhouse.command('DELETE FROM crawl_links WHERE site_id = {site:String} AND run_id = {run:String} AND src IN {ids:Array(UInt64)}', {
      params: { ...params, ids: rows.slice(at, at + perDeletion).map(({ id }) => Number(id)) },
    });
  }
}

/** Removes what ClickHouse has of a run. */
export const eraseLinks = (ctx: Pick<Context, 'clickhouse'>, siteId: string, runId: string): Promise<void> =>
  ctx.clickhouse.command('DELETE FROM crawl_links WHERE site_id = {siteId:String} AND run_id = {runId:String}', { params: { siteId, runId } });
