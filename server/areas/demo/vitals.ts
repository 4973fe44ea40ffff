import { pathFamily } from '../../../contract/crawler/urlFamily';
import { ratingOf } from '../../../contract/vitals/terms';
import type { VitalMetric } from '../../../contract/vitals/terms';
import type { VitalsBody } from '../../../contract/vitals/collect';
import type { HitRow } from '../../collect/row';
import { metricId } from '../../collect/vitals/row';
import type { VitalRow } from '../../collect/vitals/row';
import { randomFrom } from '../../kit/random';
import type { Random } from '../../kit/random';
import { demoHost } from './audience';

/** Times of an ordinary page on a desktop; phones, visitors from abroad and some pages are slower. */
const typical = { ttfb: 320, fcp: 1100, lcp: 1700, inp: 90, cls: 0.04 } as const satisfies Record<VitalMetric, number>;
const metrics = Object.keys(typical) as VitalMetric[];
/** The pages with a large picture, with a heavy script, and with content that moves. */
const slowPaint = (path: string): number => (path === '/' ? 1.25 : path.startsWith('/blog/') ? 1.6 : 1);
const slowResponse = (path: string): number => (path === '/pricing' ? 2.4 : 1);
const unsteady = (path: string): number => (path.startsWith('/docs') ? 2.2 : 1);

/** Skewed like real times: most near the typical value, a long tail. */
const skewed = (random: Random): number => Math.exp((random() + random() + random() - 1.35) * 1.05);

type View = { readonly id: string; readonly path: string; readonly device: string; readonly abroad: boolean };
type Value = { readonly metric: VitalMetric; readonly value: number; readonly attribution: Readonly<Record<string, string | number>> };

function valuesOf({ id, path, device, abroad }: View): Value[] {
  const random = randomFrom(`vitals ${id}`);
  // Not every visit ends in a way that lets the browser send, and only some visitors interact.
  if (random() < 0.12) return [];
  const slower = (device === 'mobile' ? 1.5 : 1) * (abroad ? 1.6 : 1) * skewed(random);
  return metrics.flatMap((metric): Value[] => {
    const chance = random();
    if (metric === 'inp' && chance < 0.45) return [];
    const page = metric === 'inp' ? slowResponse(path) : metric === 'cls' ? unsteady(path) : metric === 'lcp' ? slowPaint(path) : 1;
    const factor = metric === 'cls' ? skewed(random) ** 2 * (chance < 0.3 ? 0 : 1) : slower * (0.8 + 0.4 * random());
    const amount = typical[metric] * page * factor;
    const value = metric === 'cls' ? Math.round(amount * 10_000) / 10_000 : Math.round(amount);
    return [{ metric, value, attribution: causeOf(metric, value, path) }];
  });
}

function causeOf(metric: VitalMetric, value: number, path: string): Readonly<Record<string, string | number>> {
  const part = (share: number): number => Math.round(value * share);
  if (metric === 'lcp')
    return {
      target: slowPaint(path) > 1 ? 'main>figure>img.cover' : 'main>h1',
      ...(slowPaint(path) > 1 ? { url: 'https://demo.example/images/cover.jpg' } : {}),
      timeToFirstByte: part(0.2),
      resourceLoadDelay: part(0.25),
      resourceLoadDuration: part(0.35),
      elementRenderDelay: part(0.2),
    };
  if (metric === 'inp')
    return {
      interactionTarget: slowResponse(path) > 1 ? 'form.plan>select' : 'nav>button.menu',
      interactionType: 'pointer',
      inputDelay: part(0.15),
      processingDuration: part(0.6),
      presentationDelay: part(0.25),
      ...(ratingOf(metric, value) === 'good' ? {} : { scriptUrl: 'https://demo.example/js/plans.js', scriptFunction: 'recalculate' }),
    };
  if (metric === 'cls') return value === 0 ? {} : { largestShiftTarget: 'main>aside.contents', largestShiftValue: value };
  if (metric === 'fcp') return { timeToFirstByte: part(0.3), firstByteToFCP: part(0.7) };
  return { waitingDuration: part(0.1), cacheDuration: 0, dnsDuration: part(0.15), connectionDuration: part(0.25), requestDuration: part(0.5) };
}

/** Web vitals of the page views among some hits. Deterministic, so that days which are written twice contain the same measurements. */
export const demoVitals = (hits: readonly HitRow[]): VitalRow[] =>
  hits
    .filter(({ kind, bot_score }) => kind === 'view' && bot_score === 0)
    .flatMap((hit) =>
      valuesOf({ id: hit.view_id, path: hit.path, device: hit.device_type, abroad: hit.country !== 'CN' }).map(({ metric, value, attribution }) => ({
        site_id: hit.site_id,
        metric,
        metric_id: metricId(metric, hit.view_id),
        version: 1,
        view_id: hit.view_id,
        at: hit.at,
        value,
        host: hit.host,
        path: hit.path,
        family: pathFamily(hit.path),
        device: hit.device_type,
        os: hit.os,
        browser: hit.browser,
        country: hit.country,
        province: hit.province,
        connection: '4g',
        navigation: 'navigate',
        attribution: JSON.stringify(attribution).replaceAll(demoHost, hit.host),
      })),
    );

/** What the browser of a visitor to the demo site would send for one page view; null if it sends nothing. */
export function demoVitalsBody(siteId: string, view: View & { readonly url: string }): VitalsBody | null {
  const h = valuesOf(view).map(({ metric, value, attribution }) => ({
    i: `demo-${metric}-${view.id}`,
    p: view.id,
    n: metric.toUpperCase() as Uppercase<VitalMetric>,
    v: value,
    a: 0,
    l: view.url,
    y: 'navigate' as const,
    o: { ...attribution },
  }));
  return h.length === 0 ? null : { s: siteId, c: '4g', h };
}
