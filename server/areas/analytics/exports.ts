import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { analyticsEndpoints as endpoints, mostExportedVisits } from '../../../contract/analytics/schemas';
import type { VisitRow } from '../../../contract/analytics/schemas';
import type { Context } from '../../context';
import { byteOrderMark, csvLine } from '../../csv';
import type { Locale, SessionInfo, SiteAccess } from '../../http/access';
import { route } from '../../http/route';
import { dayAt } from '../../zone';
import { csv, fileName, fileTypes } from './exportFile';
import { distributionTable, flowTable, moversTable, treeTable, visitCells, visitHeads } from './exportTables';
import type { ExportTable } from './exportTables';
import type { QueryContext } from './queries';
import type { ScopeQuery } from './scope';
import type { Screens } from './screens';
import { beganIn } from './range';
import { latestVisits } from './visitQueries';
import type { LatestVisitsQuery } from './visitQueries';

type Format = keyof typeof fileTypes;

/** Responds with a file download. */
export const sendFile = (reply: FastifyReply, name: string, format: Format, content: string | Readable): FastifyReply =>
  reply.type(fileTypes[format]).header('content-disposition', `attachment; filename="${name}"`).send(content);

type Tools = {
  readonly reader: (reply: FastifyReply) => QueryContext;
  readonly screens: Screens;
  readonly visitsAsked: (
    site: SiteAccess,
    visitsQuery: Pick<ScopeQuery, 'filter' | 'who' | 'segment'>,
    session: SessionInfo,
  ) => Promise<Omit<LatestVisitsQuery, 'cursor' | 'size'>>;
};

/** Exports of single screens; JSON is the screen's response, preceded by its query. */
export function registerExports(app: FastifyInstance, ctx: Context, { reader, screens, visitsAsked }: Tools): void {
  const respondWithFile = <A extends object>(
    { site, query, locale, reply }: { site: SiteAccess; query: { from: string; to: string; format: Format }; locale: Locale; reply: FastifyReply },
    what: string,
    data: A,
    table: (data: A, locale: Locale) => ExportTable,
  ): FastifyReply =>
    sendFile(
      reply,
      fileName(site.row.slug, what, query, query.format),
      query.format,
      query.format === 'csv' ? csv(table(data, locale)) : JSON.stringify({ query, timeZone: site.row.timeZone, at: ctx.now(), ...data }, null, 2),
    );

  route(app, ctx, endpoints.exportTree, async (call) => respondWithFile(call, 'tree', await screens.tree(call), treeTable));
  route(app, ctx, endpoints.exportFlow, async (call) => respondWithFile(call, 'flow', await screens.flow(call), flowTable));
  route(app, ctx, endpoints.exportDistribution, async (call) => respondWithFile(call, 'distribution', await screens.distribution(call), distributionTable));
  route(app, ctx, endpoints.exportMovers, async (call) =>
    respondWithFile(call, 'movers', await screens.movers(call), (data, locale) => moversTable(data, call.query.by, locale)),
  );

  route(app, ctx, endpoints.exportLatest, async ({ site, query, session, locale, reply }) => {
    const { format } = query;
    const visitsQuery = { ...(await visitsAsked(site, query, session)), range: beganIn(query, site.row.timeZone) };
    const pages = visitPages(reader(reply), visitsQuery);
    // The first page is awaited before responding, so that a failing query returns an error instead of a truncated file.
    const first = await pages.next();
    const rows = (async function* () {
      if (!first.done) yield* first.value;
      for await (const page of pages) yield* page;
    })();
    const zone = site.row.timeZone;
    const day = dayAt(visitsQuery.now, zone);
    const text = format === 'csv' ? csvLines(rows, zone, locale) : jsonParts(rows, { query, timeZone: zone, at: visitsQuery.now });
    return sendFile(reply, fileName(site.row.slug, 'visits', { from: day, to: day }, format), format, Readable.from(text));
  });
}

const pageSize = 500;

/** Visits page by page, up to the limit of a file; at most one page is held in memory. */
async function* visitPages(to: QueryContext, visitsQuery: Omit<LatestVisitsQuery, 'cursor' | 'size'>): AsyncGenerator<VisitRow[]> {
  let cursor: LatestVisitsQuery['cursor'] = null;
  for (let remaining = mostExportedVisits; remaining > 0; remaining -= pageSize) {
    const page: { rows: VisitRow[]; more: boolean } = await latestVisits(to, { ...visitsQuery, cursor, size: Math.min(remaining, pageSize) });
    yield page.rows;
    const end = page.rows.at(-1);
    if (!page.more || !end) return;
    cursor = { last: end.last, visitId: end.visitId };
  }
}

async function* csvLines(rows: AsyncIterable<VisitRow>, zone: string, locale: Locale): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(visitHeads(zone, locale));
  for await (const row of rows) yield csvLine(visitCells(row, zone, locale));
}

async function* jsonParts(rows: AsyncIterable<VisitRow>, about: object): AsyncGenerator<string> {
  yield `${JSON.stringify(about).slice(0, -1)},"rows":[`;
  let before = '';
  for await (const row of rows) {
    yield `${before}\n${JSON.stringify(row)}`;
    before = ',';
  }
  yield '\n]}\n';
}
