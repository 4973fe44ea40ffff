import type { FastifyInstance, FastifyReply } from 'fastify';
import { insightReportEndpoints as endpoints } from '../../../contract/insights/reports';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { queryContextFor, rangeOf, scanOf, scopeFor } from '../analytics';
import type { QueryContext, ScopeQuery, Scan } from '../analytics';
import { registerDefinitions, funnelResponse } from './definitions';
import { eventDetail, eventsReport, scrollReport, searchesReport } from './figures';
import { funnelResult } from './funnelResult';
import { journeyOf } from './journey';
import * as queries from './queries';
import { retentionOf } from './retention';
import type { Area } from '../area';
import { rebuildOldVisits } from './upgrade';

export { annotate } from './annotate';
export { createFunnel, createGoal, createNote, createSegment } from './definitions';

/** What happened on the days from `from` to `to` of a site, oldest first. */
export const annotationsBetween = async (ctx: Pick<Context, 'postgres'>, siteId: string, from: string, to: string): Promise<queries.AnnotationRecord[]> =>
  (await queries.annotationsOf(ctx.postgres.db, siteId, from, to)).map(({ row }) => row);

type Ranged = Omit<ScopeQuery, 'with' | 'goal' | 'by'> & { readonly from: string; readonly to: string };

function register(app: FastifyInstance, ctx: Context): void {
  registerDefinitions(app, ctx);

  const of = (site: SiteAccess) => ({ id: site.id, timeZone: site.row.timeZone });
  /** The scan of a request, as in every report, and a query context that is cancelled when the client disconnects. */
  async function asking(call: { site: SiteAccess; query: Ranged; session: SessionInfo; reply: FastifyReply }): Promise<{ to: QueryContext; scan: Scan }> {
    const { site, query, session, reply } = call;
    const range = rangeOf(query.from, query.to, site.row.timeZone);
    return { to: queryContextFor(ctx, reply), scan: scanOf(of(site), query, await scopeFor(ctx, of(site), query, session), range) };
  }

  route(app, ctx, endpoints.eventsReport, async (call) => {
    const { to, scan } = await asking(call);
    return eventsReport(to, scan, call.query);
  });
  route(app, ctx, endpoints.eventDetail, async (call) => {
    const { to, scan } = await asking(call);
    return eventDetail(to, scan, call.query.name);
  });
  route(app, ctx, endpoints.searches, async (call) => {
    const { to, scan } = await asking(call);
    return searchesReport(to, scan, call.query);
  });
  route(app, ctx, endpoints.scroll, async (call) => {
    const { to, scan } = await asking(call);
    return scrollReport(to, scan, call.query);
  });
  route(app, ctx, endpoints.funnelResult, async (call) => {
    const [found] = await queries.funnelsOf(ctx.postgres.db, call.site.id, call.params.id);
    if (!found) return fail('not_found');
    const { to, scan } = await asking(call);
    return funnelResult(to, scan, funnelResponse(found));
  });
  route(app, ctx, endpoints.retention, async (call) => {
    const { to, scan } = await asking(call);
    const { from, to: last, unit } = call.query;
    return retentionOf(to, scan, { from, to: last, unit, known: call.site.row.identity !== 'cookieless', now: ctx.now() });
  });
  route(app, ctx, endpoints.journey, async (call) => {
    const { to, scan } = await asking(call);
    return journeyOf(to, scan, call.query.end, call.query.step);
  });
}

export const area: Area = { register, schedules: [{ name: 'insights.upgrade', every: 24 * 3_600_000, run: rebuildOldVisits }] };
