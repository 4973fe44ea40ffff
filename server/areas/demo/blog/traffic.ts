import { createBuilder } from '../../../collect/builder';
import { insertHits } from '../../../collect/queries';
import type { HitRow } from '../../../collect/row';
import { insertVitals } from '../../../collect/vitals/row';
import type { Context } from '../../../context';
import { randomFrom } from '../../../kit/random';
import { DAY, dayAt } from '../../../zone';
import { storeBlocked } from '../../countryBlock';
import { storeRequests } from '../../publishing';
import type { DeliveredRequest } from '../../publishing';
import { storeNotFound, storeRedirectHits } from '../../seo';
import type { NotFoundCount } from '../../seo';
import { demoDays, demoHits, demoZone } from '../traffic';
import { demoVitals } from '../vitals';

/** Traffic of the blog, derived from the generated days of the demo site: some of the same visitors, on other pages. */

const days = 14;
/** One in eight visitors of the demo site also visits the blog. */
const share = 8;

export type BlogAddress = { readonly siteId: string; readonly host: string; readonly pages: readonly { readonly path: string; readonly title: string }[] };

const numberIn = (id: string): number => Number.parseInt(id.slice(0, 6), 16);

/** Hits of the blog until a moment. A page of the demo site is always the same page of the blog, so that visits remain visits. */
export function blogHits({ siteId, host, pages }: BlogAddress, until: number): HitRow[] {
  const known = new Map<string, (typeof pages)[number]>();
  const pageFor = (path: string) => {
    const page = known.get(path) ?? (path === '/' ? pages[0] : pages[Math.floor(randomFrom(path)() * pages.length)]) ?? { path: '/', title: '' };
    known.set(path, page);
    return page;
  };
  return Array.from({ length: days }, (_, ago) => demoHits(siteId, demoDays - 1 - ago, until))
    .flat()
    .filter(({ visitor_id: id, kind }) => kind !== 'event' && numberIn(id) % share === 0)
    .map((hit) => ({ ...hit, host, ...pageFor(hit.path), query: '' }));
}

const requestOf = ({ site_id: siteId, at, path, bot_score: score, view_id: id }: HitRow): DeliveredRequest => {
  const random = randomFrom(id);
  const isNew = random() < 0.7;
  return {
    siteId,
    at,
    kind: 'page',
    path,
    status: isNew ? 200 : 304,
    score,
    crawler: '',
    ms: 1 + Math.floor(random() ** 6 * 40),
    bytes: isNew ? 2400 + Math.floor(random() * 2000) : 0,
  };
};

/** Paths without a page: what the site before the blog had, a misspelled link, and what scanners ask for. */
const missing: readonly { readonly path: string; readonly people: number; readonly bots: number; readonly referrer: string }[] = [
  { path: '/posts/meeting-note', people: 42, bots: 3, referrer: 'https://www.zhihu.com/question/2024' },
  { path: '/posts/bookshelfs', people: 17, bots: 1, referrer: 'https://mp.weixin.qq.com/s' },
  { path: '/2024/05/mountain-lake.html', people: 11, bots: 9, referrer: '' },
  { path: '/about-us', people: 6, bots: 2, referrer: '' },
  { path: '/wp-login.php', people: 0, bots: 118, referrer: '' },
  { path: '/.env', people: 0, bots: 64, referrer: '' },
];

const missingCounts = (siteId: string, until: number): NotFoundCount[] =>
  missing.map(({ people, ...one }, at) => ({
    ...one,
    siteId,
    people,
    referrerHits: one.referrer === '' ? 0 : people - 3,
    firstAt: until - (days - at) * DAY,
    lastAt: until - at * 3_600_000,
  }));

const crawlersOfDemo = ['baidu', 'google', 'bing', 'baidu', 'google'];

/** Feeds, robots.txt and missing pages of each day. */
function otherRequests(siteId: string, until: number): DeliveredRequest[] {
  const kinds = [
    { kind: 'feed', path: '/feed.xml', status: 200, score: 90, count: 12 },
    { kind: 'search', path: '/robots.txt', status: 200, score: 100, count: 9 },
    { kind: 'search', path: '/sitemap.xml', status: 200, score: 100, count: 4 },
    { kind: 'page', path: '/wp-login.php', status: 404, score: 90, count: 8 },
    { kind: 'page', path: '/posts/meeting-note', status: 404, score: 0, count: 3 },
  ] as const;
  const random = randomFrom(`${siteId} requests`);
  return Array.from({ length: days }, (_, ago) =>
    kinds.flatMap(({ count, ...request }) =>
      Array.from({ length: count }, (_request, index) => ({
        ...request,
        crawler: request.kind === 'search' ? (crawlersOfDemo[index % crawlersOfDemo.length] ?? '') : '',
        siteId,
        at: Math.floor(until - (ago + random()) * DAY),
        ms: 1 + Math.floor(random() * 4),
        bytes: 800,
      })),
    ),
  ).flat();
}

type Rule = { readonly version: number; readonly countries: readonly string[]; readonly logDays: number };

const blockedOf = (hits: readonly HitRow[], { version, countries, logDays }: Rule): Parameters<typeof storeBlocked>[1] =>
  hits
    .filter(({ country, kind }) => kind === 'view' && countries.includes(country))
    .map(({ site_id: siteId, at, host, country, path, view_id: id }) => ({
      siteId,
      at,
      days: logDays,
      id: `${id.slice(0, 8)}-${id.slice(8, 12)}-4000-8000-${id.slice(4)}`,
      host,
      country,
      address: '',
      version,
      action: 'log_only',
      path,
      userAgent: '',
      weight: 1,
    }));

/** Stores visits, requests, missing pages, uses of redirects, and requests that the country rule recorded. `redirects`: their paths. */
export async function storeBlogTraffic(ctx: Context, address: BlogAddress, until: number, rule: Rule, redirects: readonly string[]): Promise<void> {
  const { siteId } = address;
  const hits = blogHits(address, until);
  await insertHits(ctx.clickhouse, hits, `demo blog ${siteId}`);
  await insertVitals(ctx.clickhouse, demoVitals(hits), `demo blog vitals ${siteId}`);
  await createBuilder(ctx.clickhouse).apply(hits);
  await storeRequests(ctx, [...hits.filter(({ kind }) => kind === 'view').map(requestOf), ...otherRequests(siteId, until)]);
  await storeBlocked(ctx, blockedOf(hits, rule));
  await storeNotFound(ctx, missingCounts(siteId, until));
  await storeRedirectHits(
    ctx,
    redirects.flatMap((from, at) =>
      Array.from({ length: days }, (_, ago) => ({ siteId, from, day: dayAt(until - ago * DAY, demoZone), hits: 1 + ((at * 5 + ago * 3) % 7) })),
    ),
  );
  ctx.live.publish({ type: 'als', siteId, visitIds: [], at: ctx.now() });
}
