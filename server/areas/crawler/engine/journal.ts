import type { Context } from '../../../context';
import type { RunState } from '../../../../contract/crawler/terms';
import { urlFamily } from '../../../../contract/crawler/urlFamily';
import { linkColumns, storable } from './batch';
import { storeBody } from './bodies';
import { splitUrl } from './normalize';
import type { Batch, StoredEntry } from './protocol';
import { urlId } from './urlId';

export type JournalRun = {
  readonly id: string;
  readonly siteId: string;
  readonly crawlerId: string;
  readonly number: number;
  readonly jobId: string;
  readonly session: number;
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

const insertUrls = `INSERT INTO crawl_urls (id, site_id, url, host, family)
  SELECT id, $2, url, host, family FROM json_to_recordset($1::json) AS x(id bigint, url text, host text, family text) ORDER BY id ON CONFLICT DO NOTHING`;
const insertFrontier = `INSERT INTO crawl_frontier (run_id, url_id, depth, priority, from_url_id, hops, source, state, skip_reason, attempts)
  SELECT $2::uuid, url_id, depth, priority, from_url_id, hops, source, state, skip_reason, attempts
  FROM json_to_recordset($1::json) AS x(url_id bigint, depth smallint, priority real, from_url_id bigint, hops smallint, source text, state smallint, skip_reason text, attempts smallint)
  ORDER BY url_id
  ON CONFLICT (run_id, url_id) DO UPDATE SET state = excluded.state, skip_reason = excluded.skip_reason, attempts = excluded.attempts`;
const insertPages = `INSERT INTO crawl_pages SELECT * FROM json_populate_recordset(NULL::crawl_pages, $1::json) ON CONFLICT (run_id, url_id) DO NOTHING`;
const insertRows = `INSERT INTO crawl_rows (run_id, extraction, url_id, row, values)
  SELECT $2::uuid, extraction, url_id, row, values FROM json_to_recordset($1::json) AS x(extraction text, url_id bigint, row integer, values jsonb) ON CONFLICT DO NOTHING`;
const insertRobots = `INSERT INTO crawl_robots (run_id, origin, status, body, failures, fetched_at)
  SELECT $2::uuid, origin, status, body, failures, $3::timestamptz FROM json_to_recordset($1::json) AS x(origin text, status smallint, body text, failures smallint)
  ON CONFLICT (run_id, origin) DO UPDATE SET status = excluded.status, body = excluded.body, failures = excluded.failures, fetched_at = excluded.fetched_at`;
// What somebody decided stays decided.
const insertFamilies = `INSERT INTO crawl_families AS f (run_id, host, family, pages, waiting, state, reason)
  SELECT $2::uuid, host, family, pages, waiting, state, reason FROM json_to_recordset($1::json) AS x(host text, family text, pages integer, waiting integer, state text, reason text)
  ON CONFLICT (run_id, host, family) DO UPDATE SET pages = excluded.pages, waiting = excluded.waiting,
    state = CASE WHEN f.state IN ('allowed', 'excluded') THEN f.state ELSE excluded.state END, reason = excluded.reason`;

/**
 * Writes a batch: bodies by their content, links under a token (a second insert of them changes nothing), then everything else in one transaction, so that a batch is there as a
 * whole or not at all. Returns the state of the run, which others change.
 */
export async function writeBatch(ctx: Context, run: JournalRun, batch: Batch, applyFindings: ApplyFindings): Promise<RunState> {
  await Promise.all(batch.bodies.map(({ sha, gzip }) => storeBody(ctx, run.siteId, sha, gzip)));
  if (batch.links.byteLength > 0)
    await ctx.clickhouse.insertBytes('crawl_links', linkColumns, batch.links, { token: `crawl ${run.id} ${run.session} ${batch.number}` });
  const now = new Date(ctx.now());
  const findings = JSON.parse(batch.findings) as Finding[];
  const written = ctx.postgres.db.transaction(async (tx) => {
    // The driver's own client: the texts go to the database as they came.
    const client = (tx as unknown as { session: { client: { query: (text: string, values: unknown[]) => Promise<{ rows: { state: RunState }[] }> } } }).session
      .client;
    const write = async (statement: string, json: string, ...values: unknown[]): Promise<void> => {
      if (json.length > 2) await client.query(statement, [json, ...values]);
    };
    await write(insertUrls, batch.urls, run.siteId);
    await write(insertFrontier, batch.frontier, run.id);
    await write(insertPages, batch.pages);
    await write(insertRows, batch.rows, run.id);
    await write(insertRobots, batch.robots, run.id, now);
    await write(insertFamilies, batch.families, run.id);
    if (findings.length > 0) await applyFindings(tx, run, findings, now);
    // Another job of the run may have begun, and read what was written before: nothing is added to that.
    const { rows } = await client.query('UPDATE crawl_runs SET counters = $2::jsonb, active_ms = $3 WHERE id = $1 AND job_id = $4 RETURNING state', [
      run.id,
      JSON.stringify(batch.counters),
      batch.activeMs,
      run.jobId,
    ]);
    const [row] = rows;
    if (!row) throw new Error('the run was deleted, or another job of it has begun');
    return row.state;
  });
  return written.catch(async (error: unknown) => {
    const isDeleted = (await ctx.postgres.pool.query('SELECT 1 FROM crawl_runs WHERE id = $1', [run.id])).rowCount === 0;
    // Deleting it with its site or crawler erased the links that were there then.
    if (isDeleted) await eraseLinks(ctx, run.siteId, run.id);
    throw error;
  });
}

/** Stores addresses that crawls may not have met, and returns their ids, in the same order. */
export async function storeAddresses(ctx: Context, siteId: string, urls: readonly string[]): Promise<number[]> {
  const rows = urls.map((url) => {
    const { host, rest } = splitUrl(url);
    return { id: urlId(siteId, url), url, host, family: urlFamily(rest) };
  });
  await ctx.postgres.pool.query(insertUrls, [storable(JSON.stringify(rows)), siteId]);
  return rows.map(({ id }) => id);
}

const perMessage = 5000;
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

/** Removes links of pages whose batch was not committed: their next version may have fewer. */
export async function removeUncommittedLinks(ctx: Context, run: JournalRun): Promise<void> {
  const params = { site: run.siteId, run: run.id };
  const sources = await ctx.clickhouse.query<{ src: string }>(
    'SELECT DISTINCT toString(src) AS src FROM crawl_links WHERE site_id = {site:String} AND run_id = {run:String}',
    {
      params,
    },
  );
  if (sources.length === 0) return;
  const { rows } = await ctx.postgres.pool.query<{ id: string }>(
    'SELECT x AS id FROM unnest($2::bigint[]) AS x WHERE NOT EXISTS (SELECT 1 FROM crawl_pages WHERE run_id = $1 AND url_id = x)',
    [run.id, sources.map(({ src }) => src)],
  );
  if (rows.length === 0) return;
  await ctx.clickhouse.command('DELETE FROM crawl_links WHERE site_id = {site:String} AND run_id = {run:String} AND src IN {ids:Array(UInt64)}', {
    params: { ...params, ids: rows.map(({ id }) => id) },
  });
}

/** Removes what ClickHouse has of a run. */
export const eraseLinks = (ctx: Pick<Context, 'clickhouse'>, siteId: string, runId: string): Promise<void> =>
  ctx.clickhouse.command('DELETE FROM crawl_links WHERE site_id = {siteId:String} AND run_id = {runId:String}', { params: { siteId, runId } });
