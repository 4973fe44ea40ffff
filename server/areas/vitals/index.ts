import type { FastifyInstance } from 'fastify';
import { vitalEndpoints as endpoints } from '../../../contract/vitals/schemas';
import type { Context } from '../../context';
import { route } from '../../http/route';
import { DAY, MINUTE } from '../../zone';
import type { Area } from '../area';
import { budgetsOf } from './budgetQueries';
import { addBudget, changeBudget, evaluateBudgets, listBudgets, removeBudget } from './budgets';
import { recomputeVitals, sweepVitals } from './rollup/compute';
import { attributionOf, breakdownReport, coreVitals, histogramOf, seriesOf, sitesReport, summaryOf, valuesOfView } from './reports';

export { coreVitals };

/** How many budgets of a site are exceeded, and since when. */
export async function exceededBudgets(ctx: Context, siteId: string): Promise<{ readonly count: number; readonly since: Date | null }> {
  const over = (await budgetsOf(ctx.postgres.db, siteId)).filter(({ state }) => state === 'exceeded');
  const times = over.flatMap(({ changedAt }) => (changedAt === null ? [] : [changedAt.getTime()]));
  return { count: over.length, since: times.length === 0 ? null : new Date(Math.min(...times)) };
}

function register(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.vitalSites, (call) => sitesReport(ctx, call));
  route(app, ctx, endpoints.vitalSummary, (call) => summaryOf(ctx, call));
  route(app, ctx, endpoints.vitalSeries, (call) => seriesOf(ctx, call));
  route(app, ctx, endpoints.vitalBreakdown, (call) => breakdownReport(ctx, call));
  route(app, ctx, endpoints.vitalAttribution, (call) => attributionOf(ctx, call));
  route(app, ctx, endpoints.vitalHistogram, (call) => histogramOf(ctx, call));
  route(app, ctx, endpoints.vitalsOfView, (call) => valuesOfView(ctx, call));
  route(app, ctx, endpoints.vitalBudgets, (call) => listBudgets(ctx, call));
  route(app, ctx, endpoints.addVitalBudget, (call) => addBudget(ctx, call));
  route(app, ctx, endpoints.changeVitalBudget, (call) => changeBudget(ctx, call));
  route(app, ctx, endpoints.removeVitalBudget, (call) => removeBudget(ctx, call));
}

export const area: Area = {
  register,
  schedules: [
    { name: 'vitals.budgets', every: 15 * MINUTE, run: evaluateBudgets },
    { name: 'vitals.rollups', every: 5 * MINUTE, run: recomputeVitals },
    { name: 'vitals.sweep', every: DAY, run: sweepVitals },
  ],
};
