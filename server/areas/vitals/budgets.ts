import { randomUUID } from 'node:crypto';
import type { VitalBudget, VitalBudgetInput, vitalEndpoints as endpoints } from '../../../contract/vitals/schemas';
import { budgetDays, leastForVerdict } from '../../../contract/vitals/terms';
import type { BudgetState } from '../../../contract/vitals/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { addDays, dayAt } from '../../zone';
import { rangeOf } from '../analytics';
import { actorOf, difference, record } from '../audit';
import { countHearers, notifyContacts } from '../contacts';
import { notifyPeople, publishNotices } from '../notices';
import * as queries from './budgetQueries';
import type { BudgetRecord, BudgetSite } from './budgetQueries';
import { budgetNotice } from './notices';
import { figuresByMetric, noFigures } from './queries';
import { rolledOf } from './rollup/read';

const budgetResponse = (row: BudgetRecord): VitalBudget => ({
  id: row.id,
  metric: row.metric,
  percentile: row.percentile,
  most: row.most,
  pathPattern: row.pathPattern,
  device: row.device,
  notify: row.notify,
  state: row.state,
  value: row.value,
  count: row.count,
  evaluatedAt: row.evaluatedAt?.toISOString() ?? null,
  changedAt: row.changedAt?.toISOString() ?? null,
  revision: row.revision,
});

const inputKeys = ['metric', 'percentile', 'most', 'pathPattern', 'device', 'notify'] as const satisfies readonly (keyof VitalBudgetInput)[];
const factsOf = ({ metric, percentile, most, pathPattern, device, notify }: BudgetRecord | VitalBudget) => ({
  metric,
  percentile,
  most,
  pathPattern,
  device,
  notify,
});
const targetOf = (call: { readonly site: { readonly id: string; readonly row: { readonly name: string } } }) => ({
  siteId: call.site.id,
  target: { kind: 'site', id: call.site.id, name: call.site.row.name } as const,
});

export const listBudgets = async (ctx: Context, { site }: CallOf<typeof endpoints.vitalBudgets>): Promise<ResponseOf<typeof endpoints.vitalBudgets>> => {
  const { db } = ctx.postgres;
  const [rows, recipients] = await Promise.all([queries.budgetsOf(db, site.id), countHearers(ctx, db, 'traffic', site.id)]);
  return { rows: rows.map(budgetResponse), recipients };
};

export async function addBudget(ctx: Context, call: CallOf<typeof endpoints.addVitalBudget>): Promise<VitalBudget> {
  const row = await ctx.postgres.db.transaction(async (tx) => {
    const added = await queries.insertBudget(tx, call.site.id, randomUUID(), call.body, new Date(ctx.now()));
    if (added) await record(ctx, tx, actorOf(call), { action: 'vitals.budget_added', ...targetOf(call), after: factsOf(added) });
    return added;
  });
  if (!row) return fail('conflict');
  return budgetResponse(await evaluatedNow(ctx, call, row));
}

export async function changeBudget(ctx: Context, call: CallOf<typeof endpoints.changeVitalBudget>): Promise<VitalBudget> {
  const { site, params, body } = call;
  const revision = call.ifMatch();
  const { db } = ctx.postgres;
  const row = await db.transaction(async (tx) => {
    const before = await queries.findBudget(tx, site.id, params.id);
    const changed = before && (await queries.replaceBudget(tx, site.id, params.id, body, revision));
    if (changed)
      await record(ctx, tx, actorOf(call), { action: 'vitals.budget_changed', ...targetOf(call), ...difference(factsOf(before), factsOf(changed), inputKeys) });
    return changed;
  });
  if (row) return budgetResponse(await evaluatedNow(ctx, call, row));
  const current = await queries.findBudget(db, site.id, params.id);
  return current ? fail('stale_revision', { current: budgetResponse(current) }) : fail('not_found');
}

export async function removeBudget(ctx: Context, call: CallOf<typeof endpoints.removeVitalBudget>): Promise<void> {
  const removed = await ctx.postgres.db.transaction(async (tx) => {
    const row = await queries.deleteBudget(tx, call.site.id, call.params.id);
    if (row) await record(ctx, tx, actorOf(call), { action: 'vitals.budget_removed', ...targetOf(call), before: factsOf(row) });
    return row;
  });
  if (!removed) fail('not_found');
}

/** The first evaluation of a budget shows its state at once; it announces nothing, because the person who set it is looking. */
async function evaluatedNow(
  ctx: Context,
  { site }: { readonly site: { readonly id: string; readonly row: BudgetSite } },
  row: BudgetRecord,
): Promise<BudgetRecord> {
  try {
    const found = await evaluate(ctx, row, site.row);
    await queries.storeEvaluation(ctx.postgres.db, row, found, new Date(ctx.now()));
    return (await queries.findBudget(ctx.postgres.db, site.id, row.id)) ?? row;
  } catch (error) {
    // The budget is stored; the schedule evaluates it when ClickHouse answers again.
    ctx.log.warn('A new budget could not be evaluated yet', { siteId: site.id, error });
    return row;
  }
}

/** `*` of a pattern stands for any characters; everything else for itself. */
export const likeOf = (pattern: string): string => pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll(/\*+/g, '%');

/** The state of a budget over the last seven days of its site. With too few values it is unknown. Throws ClickHouseAway. */
async function evaluate(ctx: Context, budget: BudgetRecord, site: BudgetSite): Promise<queries.Evaluation> {
  const today = dayAt(ctx.now(), site.timeZone);
  const limits = {
    metric: budget.metric,
    device: budget.device === '' ? undefined : budget.device,
    like: budget.pathPattern === '' ? undefined : likeOf(budget.pathPattern),
  };
  const span = rangeOf(addDays(today, 1 - budgetDays), today, site.timeZone);
  const to = { clickhouse: ctx.clickhouse };
  const source = { siteId: site.id, span, limits };
  const rows = await figuresByMetric(to, source, await rolledOf(to, source, site.timeZone, { now: ctx.now() }));
  const figures = rows.get(budget.metric)?.figures ?? noFigures;
  const value = figures[`p${budget.percentile}`];
  const state: BudgetState = figures.n < leastForVerdict || value === null ? 'unknown' : value > budget.most ? 'exceeded' : 'within';
  return { state, value, count: figures.n };
}

/** Stores the state of a budget and announces it if the budget is exceeded now, or met again. */
async function evaluateAndNotify(ctx: Context, budget: BudgetRecord, site: BudgetSite): Promise<void> {
  const found = await evaluate(ctx, budget, site);
  // Too few values say nothing about the pages: the last verdict stands.
  const state = found.state === 'unknown' ? budget.state : found.state;
  const changed = state !== budget.state && (state === 'exceeded' || budget.state === 'exceeded');
  const people = await ctx.postgres.db.transaction(async (tx) => {
    const stored = await queries.storeEvaluation(tx, budget, { ...found, state }, new Date(ctx.now()));
    if (!stored || !changed || !budget.notify) return [];
    const message = budgetNotice(ctx, site, { ...budgetResponse(budget), ...found, state });
    await notifyContacts(ctx, tx, { topic: 'traffic', site: { id: site.id, name: site.name }, message });
    return notifyPeople(ctx, tx, { kind: 'alert', siteId: site.id, message });
  });
  publishNotices(ctx, people);
}

/** A schedule: evaluates all budgets. A failure of one, such as a site whose values take too long to read, does not affect the others. */
export async function evaluateBudgets(ctx: Context): Promise<void> {
  for (const { budget, site } of await queries.budgetsToEvaluate(ctx.postgres.db)) {
    try {
      await evaluateAndNotify(ctx, budget, site);
    } catch (error) {
      ctx.log.warn('A budget could not be evaluated; it is tried again', { siteId: site.id, budget: budget.id, error });
    }
  }
}
