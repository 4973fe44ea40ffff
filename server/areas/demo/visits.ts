import type { CollectBody } from '../../../contract/collect/schemas';
import { isOpen } from '../../../contract/sites/terms';
import type { Collector, CollectRequest } from '../../collect';
import { deviceOf } from '../../collect/classify';
import type { Context } from '../../context';
import { HOUR, dayAt, dayStart } from '../../zone';
import { randomFrom } from '../../kit/random';
import type { Random } from '../../kit/random';
import type { Schedule } from '../../worker';
import { findDemoSite } from './queries';
import { planVisit, rhythm, visitorOf, weekdayShare } from './traffic';
import type { PlannedHit, Visitor } from './traffic';
import { demoVitalsBody } from './vitals';

/** Networks of access providers by city, so that the collector finds a place as it does for real visitors. */
export const networks: Readonly<Record<string, string>> = {
  Beijing: '36.112.24',
  Shanghai: '101.226.4',
  Guangzhou: '202.96.128',
  Chengdu: '60.255.1',
  Zhengzhou: '222.85.85',
  Guiyang: '202.98.192',
  Hohhot: '60.31.1',
  Ürümqi: '124.117.1',
  'Hong Kong': '203.198.7',
  London: '81.2.69',
};
const everywhere = Object.values(networks);

const every = 15_000;
/**
 * Visits of an ordinary day, by the hours and weekdays of the generated days and about as many, so that reports compare like with like; a quiet hour has more
 * than these, because the demonstration is watched at any time.
 */
const visitsPerDay = 300;
const leastPerTick = 0.07;
/** Visitors of the generated ninety days who may return, and the share that does. */
const knownVisitors = 9000;
const returningShare = 0.3;

/** The mean number of visits that one run of the schedule begins. */
export const visitsPerRun = (now: number, timeZone: string): number => {
  const day = dayAt(now, timeZone);
  const hour = Math.floor((now - dayStart(day, timeZone)) / HOUR) % 24;
  const share = (rhythm[hour] ?? 0) / rhythm.reduce((sum, one) => sum + one, 0);
  return weekdayShare(day) * Math.max(leastPerTick, (visitsPerDay * share * every) / HOUR);
};

const codes = { view: 'v', event: 'e', engage: 'g' } as const;

/** The request that a visitor's browser would send for one hit at `now`. */
function requestOf(siteId: string, visitor: Visitor, address: string, hit: PlannedHit, now: number): CollectRequest {
  const { page, viewId, seq, kind, at, url, referrer, engagedMs, scroll } = hit;
  const body: CollectBody = {
    s: siteId,
    u: visitor.id,
    h: [
      {
        k: codes[kind],
        p: viewId,
        q: seq,
        a: Math.max(0, now - at),
        l: url,
        n: page.title,
        r: referrer,
        w: visitor.screenW,
        h: visitor.screenH,
        g: visitor.lang,
        ...(engagedMs === undefined ? {} : { m: engagedMs }),
        ...(scroll === undefined ? {} : { d: scroll }),
        ...(kind === 'event' && page.event ? { e: page.event.name, o: { ...page.event.props } } : {}),
      },
    ],
  };
  return { body: JSON.stringify(body), address, userAgent: visitor.agent, headers: { 'accept-language': visitor.lang } };
}

/** The same for the web vitals of a page view, which browsers send when the page is left. */
function vitalsRequestOf(siteId: string, { visitor, address, hit }: Pending): CollectRequest | null {
  const device = deviceOf(visitor.agent).deviceType;
  const body = demoVitalsBody(siteId, { id: hit.viewId, path: hit.page.path, url: hit.url, device, abroad: visitor.abroad });
  return body === null ? null : { body: JSON.stringify(body), address, userAgent: visitor.agent, headers: { 'accept-language': visitor.lang } };
}

type Pending = { readonly visitor: Visitor; readonly address: string; readonly hit: PlannedHit };

function newVisit(siteId: string, random: Random, now: number, name: string): Pending[] {
  const returning = random() < returningShare;
  const visitor = visitorOf(siteId, returning ? Math.floor(random() * knownVisitors) : knownVisitors * 10 + Math.floor(random() * 1e6));
  const network = networks[visitor.place.city] ?? everywhere[Math.floor(random() * everywhere.length)] ?? '';
  const address = `${network}.${1 + Math.floor(random() * 250)}`;
  const plan = { start: now - Math.floor(random() * every), name, returning, shared: false };
  return planVisit(siteId, visitor, random, plan).map((hit) => ({ visitor, address, hit }));
}

/**
 * Visits to the demo site while the program runs: a few hits a minute, sent through the collector as browsers would send them. A visit that has begun
 * continues at the next runs; it ends with the process. The first run begins a visit. Without a demo site nothing is sent.
 */
export function demoVisits(collector: Pick<Collector, 'accept' | 'acceptVitals'>): Schedule {
  let pending: readonly Pending[] = [];
  let started = false;
  const run = async (ctx: Context): Promise<void> => {
    const site = await findDemoSite(ctx.postgres.db);
    if (site === null || !isOpen(site.state)) {
      pending = [];
      return;
    }
    const now = ctx.now();
    const random = randomFrom(`${site.id} live ${now}`);
    if (!started || random() < visitsPerRun(now, site.timeZone)) pending = [...pending, ...newVisit(site.id, random, now, `live ${now}`)];
    started = true;
    const due = pending.filter(({ hit }) => hit.at <= now);
    pending = pending.filter(({ hit }) => hit.at > now);
    for (const one of due) {
      await collector.accept(requestOf(site.id, one.visitor, one.address, one.hit, now));
      const vitals = one.hit.kind === 'view' ? vitalsRequestOf(site.id, one) : null;
      if (vitals !== null) await collector.acceptVitals(vitals);
    }
  };
  return { name: 'demo.visits', every, run };
}
