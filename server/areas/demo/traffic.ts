import { createHash } from 'node:crypto';
import { deviceOf, sourceOf } from '../../collect/classify';
import type { Source } from '../../collect/classify';
import { noId } from '../../collect/row';
import { randomFrom } from '../../kit/random';
import type { Random } from '../../kit/random';
import type { HitRow } from '../../collect/row';
import { DAY, HOUR, addDays, dayAt, dayStart } from '../../zone';
import { agents, crawlers, demoHost, operators, pages, places, placesAbroad, sources } from './audience';
import type { DemoPage } from './audience';

export const demoDays = 90;
export const demoZone = 'Asia/Shanghai';

/** Visits by hour of a Chinese working day: almost none at four, two peaks, a long evening. */
export const rhythm = [9, 5, 3, 2, 2, 3, 6, 12, 20, 28, 31, 29, 20, 22, 29, 30, 28, 24, 19, 22, 27, 28, 24, 16];
/** Index 0 is Sunday. */
const weekdays = [0.62, 1.06, 1.1, 1.08, 1.04, 0.98, 0.68];
/** The share of an ordinary day's visits that a day (`YYYY-MM-DD`) has because of its weekday. */
export const weekdayShare = (day: string): number => weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 1;
/** Special days, counted back from the last: an outage from nine to six, and an article that was widely shared. */
export const outageDay = 23;
export const sharedDay = 12;
/** Share of returning visitors; they are drawn from the visitors of the previous forty days. */
const returningShare = 0.36;

const idFrom = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function pickBy<T>(random: Random, list: readonly T[], weight: (item: T) => number): T {
  let remaining = random() * list.reduce((sum, item) => sum + weight(item), 0);
  for (const item of list) {
    remaining -= weight(item);
    if (remaining < 0) return item;
  }
  return list.at(-1) as T;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
/** A random value around `mean`, skewed like real times on pages. */
const around = (random: Random, mean: number): number => mean * Math.exp((random() + random() + random() - 1.5) * 1.1);

const dayOf = (index: number, until: number): string => addDays(dayAt(until, demoZone), index - demoDays + 1);

/** Human visits on day `index` (0 is the oldest, `demoDays` − 1 is today): growth, weekday and noise. */
function visitsOn(siteId: string, index: number, until: number): number {
  const age = demoDays - 1 - index;
  const base = 150 + 130 * (index / demoDays);
  const special = age === outageDay ? 0.45 : age === sharedDay ? 2.4 : age === sharedDay - 1 ? 1.5 : 1;
  return Math.round(base * weekdayShare(dayOf(index, until)) * special * (0.92 + 0.16 * randomFrom(`${siteId} day ${index}`)()));
}

const newOn = (siteId: string, index: number, until: number): number => Math.round(visitsOn(siteId, index, until) * (1 - returningShare));

/** A visitor's properties are derived from the number alone, so that a returning visitor keeps the same place and device. */
export function visitorOf(siteId: string, number: number) {
  const random = randomFrom(`${siteId} visitor ${number}`);
  const abroad = random() < 0.11;
  const [country, province, city] = pickBy(random, abroad ? placesAbroad : places, ([, , , weight]) => weight);
  const agent = pickBy(random, agents, (one) => (abroad ? (one.abroad ?? 0) : one.weight));
  const source = pickBy(random, sources, (one) =>
    one.abroad ? (abroad ? one.weight * 4 : one.weight / 5) : abroad && one.referrer !== '' ? one.weight / 8 : one.weight,
  );
  const [screenW, screenH] = pick(random, agent.screens);
  const suspected = random() < 0.025;
  return {
    id: idFrom(`${siteId} visitor ${number}`),
    ipKey: idFrom(`${siteId} address ${Math.floor(number * 0.94)}`),
    ip: `203.0.113.x`,
    place: { country, province, city, isp: country === 'CN' ? pick(random, operators) : '' },
    agent: agent.agent,
    screenW,
    screenH,
    lang: abroad ? pick(random, ['en-US', 'en-GB', 'ja-JP', 'de-DE', 'zh-CN']) : random() < 0.95 ? 'zh-CN' : 'en-US',
    abroad,
    source,
    bot: suspected ? { score: 60, reasons: ['datacentre'] } : { score: 0, reasons: [] as string[] },
  };
}
export type Visitor = ReturnType<typeof visitorOf>;

/** All hits of one day of the demo site, none later than `until`. Deterministic: the same arguments give the same hits. */
export function demoHits(siteId: string, index: number, until: number): HitRow[] {
  const random = randomFrom(`${siteId} traffic ${index}`);
  const day = dayStart(dayOf(index, until), demoZone);
  const age = demoDays - 1 - index;
  let before = 0;
  let recent = 0;
  for (let i = 0; i < index; i += 1) {
    const fresh = newOn(siteId, i, until);
    before += fresh;
    if (index - i > 40) recent += fresh;
  }
  const fresh = newOn(siteId, index, until);
  const total = visitsOn(siteId, index, until);
  const hits: HitRow[] = [];
  for (let n = 0; n < total; n += 1) {
    const isNew = n < fresh || before === 0;
    // Recent visitors are more likely to return than old ones.
    const number = isNew ? before + n : before - 1 - Math.floor((before - recent) * random() ** 1.7);
    const hour = pickBy(
      random,
      rhythm.map((weight, at) => ({ at, weight: age === outageDay && at >= 9 && at < 18 ? 0 : weight })),
      (one) => one.weight,
    ).at;
    const visitor = visitorOf(siteId, number);
    const shared = age <= sharedDay && age >= sharedDay - 1 && random() < 0.5;
    const plan = { start: day + hour * HOUR + Math.floor(random() * HOUR), name: `${index} ${n}`, returning: !isNew, shared };
    hits.push(...planVisit(siteId, visitor, random, plan).map((hit) => hitOf(siteId, visitor, hit)));
  }
  for (let n = 0; n < Math.round(total * 0.07); n += 1) hits.push(crawlHit(siteId, day + Math.floor(random() * DAY), `${index} ${n}`, random));
  return hits.filter((hit) => hit.received_at <= until).sort((a, b) => a.at - b.at);
}

const byPath = new Map(pages.map((page) => [page.path, page]));
const linked = (page: DemoPage): DemoPage[] => page.links.flatMap((path) => byPath.get(path) ?? []);
const zhihu = sources.find((source) => source.referrer.includes('zhihu')) ?? sources[0];

/** A hit before it is classified. Times are epoch ms. */
export type PlannedHit = {
  readonly viewId: string;
  readonly seq: number;
  readonly page: DemoPage;
  readonly url: string;
  readonly referrer: string;
  readonly kind: 'view' | 'event' | 'engage';
  readonly at: number;
  readonly receivedAt: number;
  readonly engagedMs?: number;
  readonly scroll?: number;
};
type VisitPlan = { readonly start: number; readonly name: string; readonly returning: boolean; readonly shared: boolean };

/** Where a visit begins, and where it came from. */
function landingOf(visitor: Visitor, random: Random, { returning, shared }: VisitPlan): { page: DemoPage; referrer: string; query: string } {
  // Returning visitors often type the address or open a bookmark.
  const source = shared && zhihu ? zhihu : returning && random() < 0.6 ? { referrer: '', query: '' } : visitor.source;
  const landing =
    'to' in source && source.to
      ? pages.filter((page) => source.to?.includes(page.path))
      : pages.filter((page) => page.path.startsWith('/en/') === (visitor.abroad && visitor.lang !== 'zh-CN'));
  const page = shared ? (byPath.get('/blog/why-local-first') as DemoPage) : pickBy(random, landing, (one) => one.entry);
  return { page, referrer: source.referrer, query: source.query ?? '' };
}

/** The hits of one visit in the order of their time. */
export function planVisit(siteId: string, visitor: Visitor, random: Random, plan: VisitPlan): PlannedHit[] {
  let { page, referrer, query } = landingOf(visitor, random, plan);
  let at = plan.start;
  const hits: PlannedHit[] = [];
  const depth = random() < 0.44 ? 1 : 2 + Math.floor(-Math.log(1 - random()) * 1.9);
  for (let step = 0; step < Math.min(depth, 14); step += 1) {
    const url = `https://${demoHost}${page.path}${query === '' ? '' : `?${query}`}`;
    const seconds = Math.max(2, Math.min(around(random, page.seconds), 1200));
    const engaged = Math.round(seconds * (0.55 + 0.4 * random()) * 1000);
    const base = { viewId: idFrom(`${siteId} view ${plan.name} ${step}`), page, url, referrer };
    const leave = at + Math.round(seconds * 1000);
    hits.push({ ...base, seq: 0, kind: 'view', at, receivedAt: at + 150 });
    let seq = 1;
    if (page.event && random() < page.event.share) {
      const when = at + Math.round(engaged * 0.6);
      hits.push({ ...base, seq: seq++, kind: 'event', at: when, receivedAt: when + 150 });
    }
    if (step === depth - 1 || random() < 0.75)
      hits.push({
        ...base,
        seq: seq++,
        kind: 'engage',
        at: leave - 200,
        receivedAt: leave,
        engagedMs: engaged,
        scroll: Math.min(100, Math.round(20 + 80 * random())),
      });
    const next = linked(page);
    if (next.length === 0) break;
    referrer = url;
    query = '';
    page = pick(random, next);
    at = leave + Math.round(300 + 1500 * random());
  }
  return hits;
}

const hitOf = (
  siteId: string,
  visitor: Visitor,
  { viewId, seq, page, url, referrer, kind, at, receivedAt, engagedMs = 0, scroll = 0 }: PlannedHit,
): HitRow => ({
  ...hitBase(siteId, visitor, page, url, referrer, viewId),
  seq,
  kind,
  at,
  received_at: receivedAt,
  ...(kind === 'event' && page.event ? { name: page.event.name, props: JSON.stringify(page.event.props) } : {}),
  engaged_ms: engagedMs,
  scroll,
});

/** Cache: the same few thousand pairs recur. */
const classified = new Map<string, Source>();
function sourceBetween(url: string, referrer: string): Source {
  const key = `${url} ${referrer}`;
  const known = classified.get(key) ?? sourceOf({ url, referrer, siteHosts: [demoHost] });
  classified.set(key, known);
  return known;
}

type Who = Pick<Visitor, 'id' | 'ipKey' | 'ip' | 'place' | 'agent' | 'screenW' | 'screenH' | 'lang' | 'bot'>;

function hitBase(siteId: string, who: Who, page: DemoPage, url: string, referrer: string, viewId: string): Omit<HitRow, 'seq' | 'kind' | 'at' | 'received_at'> {
  const source = sourceBetween(url, referrer);
  const device = deviceOf(who.agent);
  return {
    site_id: siteId,
    visitor_id: who.id,
    visitor_alt: noId,
    view_id: viewId,
    host: demoHost,
    path: page.path,
    query: new URL(url).search.slice(1),
    title: page.title,
    engaged_ms: 0,
    scroll: 0,
    name: '',
    props: '',
    source_type: source.sourceType,
    source_name: source.sourceName,
    keyword: source.keyword,
    keyword_from: source.keywordFrom,
    ref_host: source.refHost,
    ref_path: source.refPath,
    ref_url: source.refUrl,
    utm_source: source.utmSource,
    utm_medium: source.utmMedium,
    utm_campaign: source.utmCampaign,
    utm_term: source.utmTerm,
    utm_content: source.utmContent,
    click_id: source.clickId,
    device_type: device.deviceType,
    os: device.os,
    os_version: device.osVersion,
    browser: device.browser,
    browser_version: device.browserVersion,
    screen_w: who.screenW,
    screen_h: who.screenH,
    lang: who.lang,
    ...who.place,
    ip_key: who.ipKey,
    ip_masked: who.ip,
    bot_score: who.bot.score,
    bot_reasons: who.bot.reasons,
    origin: 'script',
    search_term: '',
  };
}

/** One page fetched by a bot that runs scripts: labelled as a bot, not dropped. */
function crawlHit(siteId: string, at: number, name: string, random: Random): HitRow {
  const { agent } = pickBy(random, crawlers, (one) => one.weight);
  const page = pick(random, pages);
  const id = idFrom(`${siteId} crawler ${agent} ${name.split(' ', 1)[0]}`);
  const who: Who = {
    id,
    ipKey: id,
    ip: '203.0.113.x',
    place: { country: 'CN', province: 'CN-BJ', city: 'Beijing', isp: '' },
    agent,
    screenW: 0,
    screenH: 0,
    lang: '',
    bot: { score: 100, reasons: ['agent'] },
  };
  return {
    ...hitBase(siteId, who, page, `https://${demoHost}${page.path}`, '', idFrom(`${siteId} view crawl ${name}`)),
    seq: 0,
    kind: 'view',
    at,
    received_at: at + 80,
  };
}
