import type { FastifyInstance, FastifyReply } from 'fastify';
import { ReportQuery, analyticsEndpoints as endpoints } from '../../../contract/analytics';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import { route } from '../../http/route';
import { distributionOf, knownShares } from './distribution';
import { flowOf } from './flow';
import { moversOf } from './movers';
import { outlookOf } from './outlook';
import type { Ask } from './queries';
import { planRange, rangeOf } from './range';
import { makeReport } from './report';
import { scanOf, scopeFor } from './scope';
import type { Asked } from './scope';
import type { Scan } from './slices';
import { treeOf } from './tree';

/** What single screens ask for besides reports, from the same visits by the same slices. `reader`: who waits for an answer. */
export function registerScreens(app: FastifyInstance, ctx: Context, reader: (reply: FastifyReply) => Ask): void {
  const siteOf = (site: SiteAccess) => ({ id: site.id, timeZone: site.row.timeZone });
  const scanFor = async (site: SiteAccess, query: Asked & { readonly from: string; readonly to: string }, session: SessionInfo): Promise<Scan> =>
    scanOf(siteOf(site), query, await scopeFor(ctx, siteOf(site), query, session), rangeOf(query.from, query.to, site.row.timeZone));

  route(app, ctx, endpoints.tree, async ({ site, query, session, reply }) =>
    treeOf(reader(reply), await scanFor(site, query, session), query.under, query.host),
  );
  route(app, ctx, endpoints.flow, async ({ site, query, session, reply }) => flowOf(reader(reply), await scanFor(site, query, session), query.path));
  route(app, ctx, endpoints.distribution, async ({ site, query, session, reply }) =>
    distributionOf(reader(reply), await scanFor(site, query, session), query.of),
  );
  route(app, ctx, endpoints.coverage, async ({ site, query, session, reply }) => knownShares(reader(reply), await scanFor(site, query, session)));

  route(app, ctx, endpoints.movers, async ({ site, query, session, reply }) => {
    const { range, comparison, compareUntil } = planRange(query, site.row.timeZone, ctx.now());
    const scope = await scopeFor(ctx, siteOf(site), query, session);
    const now = scanOf(siteOf(site), query, scope, range);
    if (!comparison) return { fresh: [], rising: [], falling: [] };
    const before = scanOf(siteOf(site), query, scope, { start: comparison.start, end: compareUntil ?? comparison.end });
    return moversOf(reader(reply), now, before, query.by, query.measure);
  });

  route(app, ctx, endpoints.outlook, async ({ site, query, session, reply }) => {
    const to = reader(reply);
    const scope = await scopeFor(ctx, siteOf(site), query, session);
    const series = (from: string, until: string) =>
      makeReport(to, siteOf(site), ReportQuery.parse({ from, to: until, gran: 'day', series: '1', filter: query.filter, who: query.who }), {
        now: ctx.now,
        scope,
      });
    return outlookOf(to, siteOf(site), query, { now: ctx.now(), scope, series });
  });
}
