import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ReportQuery, analyticsEndpoints as endpoints } from '../../../contract/analytics/schemas';
import type { DistributionQuery, FlowQuery, Movers, MoversQuery, Outlook, OutlookQuery, TreeQuery } from '../../../contract/analytics/schemas';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import { route } from '../../http/route';
import { distributionOf, knownShares } from './distribution';
import { flowOf } from './flow';
import { moversOf } from './movers';
import { outlookOf } from './outlook';
import type { QueryContext } from './queries';
import { planRange, rangeOf } from './range';
import { makeReport } from './report';
import { scanOf, scopeFor } from './scope';
import type { ScopeQuery } from './scope';
import type { Scan } from './slices';
import { treeOf } from './tree';

type Call<Q> = { readonly site: SiteAccess; readonly query: Q; readonly session: SessionInfo; readonly reply: FastifyReply };
type Ranged = ScopeQuery & { readonly from: string; readonly to: string };

/** Queries of single screens other than reports, over the same visits and slices. `reader`: the query context of the requesting client. */
export function screensOf(ctx: Context, reader: (reply: FastifyReply) => QueryContext) {
  const siteOf = (site: SiteAccess) => ({ id: site.id, timeZone: site.row.timeZone, filters: site.filters });
  const scanFor = async ({ site, query, session }: Call<Ranged>): Promise<Scan> =>
    scanOf(siteOf(site), query, await scopeFor(ctx, siteOf(site), query, session), rangeOf(query.from, query.to, site.row.timeZone));

  return {
    tree: async (call: Call<z.output<typeof TreeQuery>>) => treeOf(reader(call.reply), await scanFor(call), call.query.under, call.query.host),
    flow: async (call: Call<z.output<typeof FlowQuery>>) => flowOf(reader(call.reply), await scanFor(call), call.query.path),
    distribution: async (call: Call<z.output<typeof DistributionQuery>>) => distributionOf(reader(call.reply), await scanFor(call), call.query.of),
    coverage: async (call: Call<Ranged>) => knownShares(reader(call.reply), await scanFor(call)),

    movers: async ({ site, query, session, reply }: Call<z.output<typeof MoversQuery>>): Promise<Movers> => {
      const { range, comparison, compareUntil } = planRange(query, site.row.timeZone, ctx.now());
      const scope = await scopeFor(ctx, siteOf(site), query, session);
      const now = scanOf(siteOf(site), query, scope, range);
      if (!comparison) return { fresh: [], rising: [], falling: [] };
      const before = scanOf(siteOf(site), query, scope, { start: comparison.start, end: compareUntil ?? comparison.end });
      return moversOf(reader(reply), now, before, query.by, query.measure);
    },

    outlook: async ({ site, query, session, reply }: Call<z.output<typeof OutlookQuery>>): Promise<Outlook> => {
      const to = reader(reply);
      const scope = await scopeFor(ctx, siteOf(site), query, session);
      const series = (from: string, until: string) =>
        makeReport(to, siteOf(site), ReportQuery.parse({ from, to: until, gran: 'day', series: '1', filter: query.filter, who: query.who }), {
          now: ctx.now,
          scope,
        });
      return outlookOf(to, siteOf(site), query, { now: ctx.now(), scope, series });
    },
  };
}
export type Screens = ReturnType<typeof screensOf>;

export function registerScreens(app: FastifyInstance, ctx: Context, screens: Screens): void {
  route(app, ctx, endpoints.tree, screens.tree);
  route(app, ctx, endpoints.flow, screens.flow);
  route(app, ctx, endpoints.distribution, screens.distribution);
  route(app, ctx, endpoints.coverage, screens.coverage);
  route(app, ctx, endpoints.movers, screens.movers);
  route(app, ctx, endpoints.outlook, screens.outlook);
}
