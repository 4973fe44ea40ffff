import { comparisonDays } from '../../../contract/analytics/comparison';
import { completeMeasuring } from '../../../contract/measuring/schemas';
import type { vitalEndpoints as endpoints, VitalScore, VitalVerdict } from '../../../contract/vitals/schemas';
import { binEnds, coreMetrics, leastForVerdict, navigationTypes, ratingOf, vitalMetrics } from '../../../contract/vitals/terms';
import type { Rating, VitalDimension, VitalMetric } from '../../../contract/vitals/terms';
import type { Context } from '../../context';
import type { CallOf, ResponseOf } from '../../http/route';
import { mayOnSite } from '../../../contract/permissions';
import { queryContextFor, rangeOf, seriesSteps } from '../analytics';
import type { QueryContext } from '../analytics';
import { settingsOfSites } from '../measuring';
import { sitesOf } from '../sites';
import * as queries from './queries';
import type { MetricRow } from './queries';
import { rolledOf } from './rollup/read';
import type { Limits, Source } from './values';

type Ranged = {
  readonly site: { readonly id: string; readonly row: { readonly timeZone: string } };
  readonly query: Limits & { readonly from: string; readonly to: string };
};

function sourceOf({ site, query }: Ranged): Source {
  const { from, to, family, path, device, country, browser, connection, navigation, metric } = query;
  return { siteId: site.id, span: rangeOf(from, to, site.row.timeZone), limits: { family, path, device, country, browser, connection, navigation, metric } };
}

/** Cells that answer instead of values, where a site has them. */
const cellsFor = (ctx: Context, to: QueryContext, { site }: Pick<Ranged, 'site'>, source: Source, by?: VitalDimension) =>
  rolledOf(to, source, site.row.timeZone, { now: ctx.now(), ...(by && { by }) });

/** Of the 75th percentile; null with too few values. */
export const ratingOfFigures = (metric: VitalMetric, n: number, p75: number | null): Rating | null =>
  n < leastForVerdict || p75 === null ? null : ratingOf(metric, p75);

/** The rule of the Chrome UX Report: LCP and CLS decide, and INP where it has enough values. */
export function verdictOf(scores: readonly { readonly metric: VitalMetric; readonly rating: Rating | null }[]): VitalVerdict {
  const ratingIn = (metric: VitalMetric): Rating | null => scores.find((score) => score.metric === metric)?.rating ?? null;
  if (coreMetrics.some((metric) => ![null, 'good'].includes(ratingIn(metric)))) return 'fail';
  return ratingIn('lcp') === null || ratingIn('cls') === null ? 'unknown' : 'pass';
}

/**
 * Where the 75th percentile lies with 95 % probability, from the order statistics of a sample (normal approximation of the binomial distribution of the rank). `values` in
 * ascending order.
 */
export function intervalOf(values: readonly number[]): [number, number] | null {
  const n = values.length;
  const [least, most] = [values[0], values.at(-1)];
  if (least === undefined || most === undefined) return null;
  const spread = 1.96 * Math.sqrt(n * 0.75 * 0.25);
  return [values[Math.max(0, Math.floor(0.75 * n - spread))] ?? least, values[Math.min(n - 1, Math.ceil(0.75 * n + spread))] ?? most];
}

function scoreOf(metric: VitalMetric, row: MetricRow | undefined, before: MetricRow | undefined, views: number | null): VitalScore {
  const figures = row?.figures ?? queries.noFigures;
  const measured = row?.views ?? 0;
  return {
    ...figures,
    metric,
    rating: ratingOfFigures(metric, figures.n, figures.p75),
    interval: figures.n < leastForVerdict ? intervalOf(row?.few ?? []) : null,
    views: measured,
    // A view may be reported before its visit is built.
    coverage: views === null || views === 0 ? null : Math.min(1, measured / views),
    before: before?.figures ?? queries.noFigures,
  };
}

const pagesCompared = 20;

/** The core metrics of a site over some days, and the page where LCP is worst among the most visited ones with enough values. */
export async function coreVitals(ctx: Context, site: { readonly id: string; readonly timeZone: string }, from: string, to: string) {
  const source: Source = { siteId: site.id, span: rangeOf(from, to, site.timeZone), limits: {} };
  const context = { clickhouse: ctx.clickhouse };
  const ofSite = { site: { id: site.id, row: { timeZone: site.timeZone } } };
  const [rolled, rolledPages] = await Promise.all([cellsFor(ctx, context, ofSite, source), cellsFor(ctx, context, ofSite, source, 'path')]);
  const [found, { keys }] = await Promise.all([
    queries.figuresByMetric(context, source, rolled),
    queries.topKeys(context, source, 'path', { page: 1, size: pagesCompared }, rolledPages),
  ]);
  const pages = (await queries.breakdownOf(context, source, 'path', keys, 75, rolledPages)).filter(({ metric, n }) => metric === 'lcp' && n >= leastForVerdict);
  const worst = pages.toSorted((a, b) => b.value - a.value)[0];
  return {
    scores: coreMetrics.map((metric) => {
      const { n, p75, good, needs, poor } = found.get(metric)?.figures ?? queries.noFigures;
      return { metric, n, p75, rating: ratingOfFigures(metric, n, p75), good, needs, poor };
    }),
    worst: worst ? { path: worst.key, p75: worst.value } : null,
  };
}

export async function summaryOf(ctx: Context, call: CallOf<typeof endpoints.vitalSummary>): Promise<ResponseOf<typeof endpoints.vitalSummary>> {
  const to = queryContextFor(ctx, call.reply);
  const source = sourceOf(call);
  const compared = comparisonDays({ from: call.query.from, to: call.query.to }, 'previous', null) ?? { from: call.query.from, to: call.query.to };
  const earlier = { ...source, span: rangeOf(compared.from, compared.to, call.site.row.timeZone) };
  const figuresIn = async (one: Source) => queries.figuresByMetric(to, one, await cellsFor(ctx, to, call, one));
  const [now, before, views, ever, settings] = await Promise.all([
    figuresIn(source),
    figuresIn(earlier),
    queries.viewsOf(to, source),
    queries.hasValues(to, call.site.id),
    settingsOfSites(ctx, [call.site.id]),
  ]);
  const scores = vitalMetrics.map((metric) => scoreOf(metric, now.get(metric), before.get(metric), views));
  const collection = completeMeasuring(settings.get(call.site.id)).vitals;
  return { verdict: verdictOf(scores), scores, compareFrom: compared.from, compareTo: compared.to, collection, ever };
}

export async function sitesReport(ctx: Context, call: CallOf<typeof endpoints.vitalSites>): Promise<ResponseOf<typeof endpoints.vitalSites>> {
  const to = queryContextFor(ctx, call.reply);
  const sites = (await sitesOf(ctx, call.session)).filter(({ role }) => mayOnSite(role, 'analytics.read'));
  const settings = await settingsOfSites(
    ctx,
    sites.map(({ id }) => id),
  );
  const rows: ResponseOf<typeof endpoints.vitalSites> = [];
  // One after the other: each may read all values of its site.
  for (const { id, timeZone } of sites) {
    const site = { id, row: { timeZone } };
    const source = sourceOf({ site, query: call.query });
    const found = await queries.figuresByMetric(to, source, await cellsFor(ctx, to, { site }, source));
    const scores = vitalMetrics.map((metric) => {
      const { n, p75 } = found.get(metric)?.figures ?? queries.noFigures;
      return { metric, n, p75, rating: ratingOfFigures(metric, n, p75) };
    });
    rows.push({ siteId: id, verdict: verdictOf(scores), collection: completeMeasuring(settings.get(id)).vitals, scores });
  }
  return rows;
}

export async function seriesOf(ctx: Context, call: CallOf<typeof endpoints.vitalSeries>): Promise<ResponseOf<typeof endpoints.vitalSeries>> {
  const { query, site } = call;
  const { gran, steps } = seriesSteps({ from: query.from, to: query.to, gran: query.gran }, site.row.timeZone, ctx.now());
  const to = queryContextFor(ctx, call.reply);
  const source = sourceOf(call);
  const found = await queries.figuresByStep(
    to,
    source,
    steps.map(({ start }) => start),
    gran === 'hour' || gran === 'minute' ? null : await cellsFor(ctx, to, call, source),
  );
  return { gran, steps: steps.map(({ label, start }) => ({ label, start, figures: found.get(start) ?? queries.noFigures })) };
}

export async function breakdownReport(ctx: Context, call: CallOf<typeof endpoints.vitalBreakdown>): Promise<ResponseOf<typeof endpoints.vitalBreakdown>> {
  const { by, percentile, page, size } = call.query;
  const to = queryContextFor(ctx, call.reply);
  const source = sourceOf(call);
  const rolled = await cellsFor(ctx, to, call, source, by);
  const { keys, total } = await queries.topKeys(to, source, by, { page, size }, rolled);
  const found = await queries.breakdownOf(to, { ...source, limits: { ...source.limits, metric: undefined } }, by, keys, percentile, rolled);
  const none = { n: 0, value: null, rating: null };
  const rows = keys.map((key) => {
    const figures = {
      lcp: none,
      inp: none,
      cls: none,
      fcp: none,
      ttfb: none,
      ...Object.fromEntries(
        found.filter((row) => row.key === key).map(({ metric, n, value }) => [metric, { n, value, rating: ratingOfFigures(metric, n, value) }]),
      ),
    };
    return { key, figures };
  });
  return { rows, total };
}

export async function attributionOf(ctx: Context, call: CallOf<typeof endpoints.vitalAttribution>): Promise<ResponseOf<typeof endpoints.vitalAttribution>> {
  const to = queryContextFor(ctx, call.reply);
  const source = sourceOf(call);
  const { metric } = call.query;
  const [parts, elements, scripts] = await Promise.all([
    queries.partsOf(to, source, metric),
    queries.causesOf(to, source, metric, 'elements'),
    queries.causesOf(to, source, metric, 'scripts'),
  ]);
  return { parts, elements, scripts };
}

export async function histogramOf(ctx: Context, call: CallOf<typeof endpoints.vitalHistogram>): Promise<ResponseOf<typeof endpoints.vitalHistogram>> {
  const { metric } = call.query;
  const to = queryContextFor(ctx, call.reply);
  const source = sourceOf(call);
  const counts = await queries.binsOf(to, source, metric, await cellsFor(ctx, to, call, source));
  const ends = binEnds[metric];
  const bins = counts.map((n, index) => ({ start: ends[index - 1] ?? 0, end: ends[index] ?? null, n, rating: ratingOf(metric, ends[index] ?? Infinity) }));
  return { n: counts.reduce((sum, n) => sum + n, 0), bins };
}

export async function valuesOfView(ctx: Context, call: CallOf<typeof endpoints.vitalsOfView>): Promise<ResponseOf<typeof endpoints.vitalsOfView>> {
  const rows = await queries.valuesOfView(queryContextFor(ctx, call.reply), call.site.id, call.params.pageId);
  const inOrder = vitalMetrics.flatMap((metric) => rows.filter((row) => row.metric === metric));
  return inOrder.map(({ metric, value, navigation, at, attribution }) => ({
    metric,
    value,
    rating: ratingOf(metric, value),
    navigation: navigationTypes.find((one) => one === navigation) ?? 'navigate',
    at: new Date(at).toISOString(),
    attribution: attribution === '' ? {} : (JSON.parse(attribution) as Record<string, string | number>),
  }));
}
