import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { crawlerEndpoints as endpoints } from '../../../../contract/crawler/schemas';
import type { ExportFormat } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { byteOrderMark, csvLine } from '../../../csv';
import { asDownload, downloadPlaces } from '../../../http/download';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import { escapeHtml } from '../../../kit/text/escapeHtml';
import { actorOf, record } from '../../audit';
import { rowXml, workbook } from '../../tables';
import { writeWarc } from '../engine';
import { found } from './crawlers';
import type { RunRecord } from './queries';
import { rowsOf } from './rows';
import { foundRun } from './running';

type Value = string | number | boolean | null;
type Table = { readonly columns: readonly string[]; readonly rows: AsyncIterable<readonly Value[]> };
const batch = 1000;
/** Addresses that one file of a sitemap may have (sitemaps.org). */
const sitemapMost = 50_000;

const pageColumns =
  'url status error content_type indexable index_reason title description h1 language words depth links_in links_internal links_external page_rank in_sitemap bytes wire_bytes first_byte_ms total_ms fetched_at'.split(
    ' ',
  );
type PageRow = Record<string, Value> & { readonly url_id: string };

/** Pages of a run by id of their address. */
async function* pages(ctx: Context, { id, siteId }: RunRecord, condition = sql`true`): AsyncGenerator<PageRow> {
  let after = '0';
  for (;;) {
    const { rows } = await ctx.postgres.db.execute<PageRow>(sql`
      SELECT p.url_id::text AS url_id, u.url, p.status, p.error, p.mime AS content_type, p.indexable, p.index_reason, p.title, p.description, p.h1, p.language, p.units AS words,
        p.depth, p.links_in, p.links_internal, p.links_external, p.page_rank, p.in_sitemap, p.bytes, p.wire_bytes, p.first_byte_ms, p.total_ms,
        to_char(p.fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS fetched_at
      FROM crawl_pages p JOIN crawl_urls u ON u.site_id = ${siteId} AND u.id = p.url_id
      WHERE p.run_id = ${id} AND p.url_id > ${after}::bigint AND ${condition} ORDER BY p.url_id LIMIT ${batch}`);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.url_id;
  }
}
async function* pageRows(ctx: Context, run: RunRecord): AsyncGenerator<Value[]> {
  for await (const page of pages(ctx, run)) yield pageColumns.map((name) => page[name] ?? null);
}

const issueColumns = ['rule', 'severity', 'state', 'url', 'impact', 'first_run', 'last_run', 'detail'];
type IssueRow = Record<string, Value> & { readonly id: string };
async function* issueRows(ctx: Context, run: RunRecord): AsyncGenerator<Value[]> {
  let after = '0';
  for (;;) {
    const { rows } = await ctx.postgres.db.execute<IssueRow>(sql`
      SELECT i.id::text AS id, i.rule, f.severity, i.state, u.url, i.impact, i.first_run, i.last_run, f.detail::text AS detail
      FROM crawl_findings f JOIN crawl_issues i ON i.id = f.issue_id LEFT JOIN crawl_urls u ON u.site_id = ${run.siteId} AND u.id = i.url_id
      WHERE f.run_id = ${run.id} AND i.id > ${after}::bigint ORDER BY i.id LIMIT ${batch}`);
    for (const row of rows) yield issueColumns.map((name) => row[name] ?? null);
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.id;
  }
}

function extracted(ctx: Context, run: RunRecord, name: string | undefined): Table {
  const extraction = run.config.extractions.find((one) => one.name === name) ?? failField('extraction', 'unknown');
  const columns = extraction.columns.map((column) => column.name);
  async function* rows(): AsyncGenerator<Value[]> {
    for await (const some of rowsOf(ctx, run, extraction.name))
      for (const { url, values } of some)
        yield [
          url,
          ...columns.map((column) => {
            const value = values[column] ?? null;
            return typeof value === 'object' && value !== null ? value.join('\n') : value;
          }),
        ];
  }
  return { columns: ['url', ...columns], rows: rows() };
}

async function* csv({ columns, rows }: Table): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns);
  for await (const row of rows) yield csvLine(row.map((value) => (typeof value === 'boolean' ? String(value) : value)));
}
async function* jsonLines({ columns, rows }: Table): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])))}\n`;
}
async function* sheet({ columns, rows }: Table): AsyncGenerator<string> {
  const cell = (value: Value) => {
    if (value === null) return null;
    if (typeof value === 'boolean') return { kind: 'boolean', value } as const;
    return typeof value === 'number' ? ({ kind: 'number', value: String(value) } as const) : ({ kind: 'text', value } as const);
  };
  yield rowXml(columns.map((value) => ({ kind: 'text', value }) as const));
  for await (const row of rows) yield rowXml(row.map(cell));
}

/** The indexable pages of the site, at most as many as one file may have. */
async function* sitemap(ctx: Context, run: RunRecord): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  let count = 0;
  for await (const { url } of pages(ctx, run, sql`p.internal AND p.html AND p.indexable`)) {
    if (count++ === sitemapMost) break;
    yield `<url><loc>${escapeHtml(String(url))}</loc></url>\n`;
  }
  yield '</urlset>\n';
}

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml; charset=utf-8',
  warc: 'application/gzip',
};

function contentOf(ctx: Context, run: RunRecord, { what, format, extraction }: CallOf<typeof endpoints.exportCrawl>['query']): Readable {
  if (what === 'sitemap') return format === 'xml' ? Readable.from(sitemap(ctx, run)) : failField('format', 'unknown');
  if (what === 'warc') return format === 'warc' ? writeWarc(ctx, run) : failField('format', 'unknown');
  if (format === 'xml' || format === 'warc') return failField('format', 'unknown');
  const table: Table =
    what === 'rows'
      ? extracted(ctx, run, extraction)
      : what === 'pages'
        ? { columns: pageColumns, rows: pageRows(ctx, run) }
        : { columns: issueColumns, rows: issueRows(ctx, run) };
  if (format === 'xlsx') return workbook(what, sheet(table));
  return Readable.from(format === 'csv' ? csv(table) : jsonLines(table));
}

async function download(
  ctx: Context,
  call: CallOf<typeof endpoints.exportCrawl>,
  place: (reply: FastifyReply, key: string) => AbortSignal,
): Promise<FastifyReply> {
  const { params, query, site, reply } = call;
  const run = await foundRun(ctx, params.crawlRunId);
  if (run.purged) return fail('not_found');
  const content = contentOf(ctx, run, query);
  place(reply, site.id).addEventListener('abort', () => content.destroy());
  const { id, name } = await found(ctx, run.crawlerId);
  await record(ctx, ctx.postgres.db, actorOf(call), {
    action: 'crawler.exported',
    siteId: site.id,
    target: { kind: 'crawler', id, name },
    after: { run: run.number, what: query.what, format: query.format },
  });
  const ending = query.format === 'warc' ? 'warc.gz' : query.format;
  return asDownload(reply, `${name}-${run.number}-${query.extraction ?? query.what}.${ending}`, types[query.format]).send(content);
}

export function registerExports(app: FastifyInstance, ctx: Context): void {
  const place = downloadPlaces({ all: 6, each: 3 });
  route(app, ctx, endpoints.exportCrawl, (call) => download(ctx, call, place));
}
