import type { Cause, DashboardCauses } from '../../../contract/dashboard/causes';
import { ruleIds, ruleOf } from '../../../contract/crawler/rules';
import type { RuleGroup } from '../../../contract/crawler/rules';
import { causeNeeds, causeSources, dashboardLimits as limits } from '../../../contract/dashboard/terms';
import type { CauseSource } from '../../../contract/dashboard/terms';
import { parseUrl } from '../../../contract/parseUrl';
import { createRedirects } from '../../../contract/publishing/redirects';
import type { RedirectRule } from '../../../contract/publishing/redirects';
import { parts as partSchemas } from '../../../contract/publishing/parts';
import { followRedirects } from '../../../contract/seo/redirectGraph';
import { addDays, dayAt } from '../../zone';
import { visitorChange } from '../analytics';
import type { QueryContext } from '../analytics';
import { issuesOfAddresses, normalizeUrl } from '../crawler';
import { keywordImportsOf, keywordRowsOf } from '../imports';
import type { KeywordRow } from '../imports';
import { liveSite, redirectSiteOf, redirectSince } from '../publishing';
import { pathOfPage } from '../seo';
import { readIndexedSite } from '../sites';
import type { IndexedSite } from '../sites';
import { losses, rankCauses, worseKeywords } from './causeRanking';
import { isAllowed } from './reader';
import type { CardCall } from './reader';
import { sameTime, week } from './traffic';

type Call = Pick<CardCall, 'ctx' | 'site' | 'session'>;
type Found<T> = ReadonlyMap<string, T>;
type Keyword = Cause['keywords'][number];
type KeywordFound = { readonly days: DashboardCauses['keywordDays']; readonly of: Found<readonly Keyword[]> };

/** Groups of rules whose issues keep people or search engines from a page; of responses, only errors do. */
const groups: ReadonlySet<RuleGroup> = new Set(['redirects', 'indexing', 'canonicals']);
const rulesOfCauses = { all: ruleIds.filter((id) => groups.has(ruleOf(id).group)), errors: ruleIds.filter((id) => ruleOf(id).group === 'http') };
const noKeywords: KeywordFound = { days: null, of: new Map() };

/** Rows of keywords that are read: those of most impressions. */
const mostRows = 500;
/** Pages whose search terms are read. */
const mostPages = 10;

const keywordOf = ({ engine, key, values, compare }: KeywordRow, by: 'query' | 'page'): Keyword => ({
  engine,
  query: by === 'query' ? key : null,
  position: { now: values.position, before: compare?.position ?? null },
  clicks: { now: values.clicks, before: compare?.clicks ?? 0 },
});

/** Keywords of pages whose position is worse in the last imported days than in those before. Of a page without such a keyword, the page itself. */
async function keywordsOf({ ctx, site }: Call, hosts: ReadonlySet<string>, paths: ReadonlySet<string>): Promise<KeywordFound> {
  const imports = await keywordImportsOf(ctx, site.id);
  const last = imports
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  if (last === undefined) return noKeywords;
  const { timeZone } = site.row;
  const today = dayAt(ctx.now(), timeZone);
  const to = last < today ? last : today;
  const days = { from: addDays(to, 1 - limits.causeDays), to, compareFrom: addDays(to, 1 - 2 * limits.causeDays), compareTo: addDays(to, -limits.causeDays) };
  const reader: QueryContext = { clickhouse: ctx.clickhouse };
  const rowsBy = async (by: 'query' | 'page', landing = ''): Promise<readonly KeywordRow[]> => {
    const query = { ...days, compare: 'custom', by, landing, q: '', sort: 'impressions', dir: 'desc', page: 1, size: mostRows } as const;
    return (await keywordRowsOf(reader, site.id, timeZone, imports, query)).rows;
  };
  const pages = (await rowsBy('page')).flatMap((row) => {
    const path = pathOfPage(row.key, hosts);
    return path !== null && paths.has(path) ? [{ row, path }] : [];
  });
  const of = new Map<string, readonly Keyword[]>();
  const order = [...paths];
  const first = pages.toSorted((a, b) => order.indexOf(a.path) - order.indexOf(b.path)).slice(0, mostPages);
  // A page has a row for each engine.
  const keys = [...new Set(first.map(({ row }) => row.key))];
  const queries = new Map(await Promise.all(keys.map(async (key) => [key, await rowsBy('query', key)] as const)));
  for (const { row, path } of first) {
    const rows = (queries.get(row.key) ?? []).filter(({ engine }) => engine === row.engine);
    const ofPage = worseKeywords(rows.map((one) => keywordOf(one, 'query')));
    const found = ofPage.length > 0 ? ofPage : worseKeywords([keywordOf(row, 'page')]);
    if (found.length > 0) of.set(path, worseKeywords([...(of.get(path) ?? []), ...found]));
  }
  return { days, of };
}

/** Addresses that a path may have on the hosts of a site. */
function addressesOf({ row }: CardCall['site'], indexed: IndexedSite | null): (path: string) => string[] {
  const own = [row.url, indexed?.origin].flatMap((address) => parseUrl(address ?? '')?.origin ?? []);
  const origins = [...new Set([...own, ...(indexed?.hosts ?? []).flatMap((host) => [`https://${host}`, `http://${host}`])])];
  return (path) => origins.map((origin) => `${origin}${path}`);
}

async function issuesOf({ ctx, site }: Call, indexed: IndexedSite | null, paths: readonly string[], since: Date): Promise<Found<Cause['issues']>> {
  const addresses = addressesOf(site, indexed);
  const found = await issuesOfAddresses(ctx, site.id, paths.flatMap(addresses), { since, rules: rulesOfCauses });
  return new Map(
    paths.map((path) => {
      const own = new Set(addresses(path).map((address) => normalizeUrl(address)));
      return [
        path,
        found
          .filter(({ url }) => own.has(url))
          .map(({ rule, severity, state, url, urlId, runId, foundAt, fixedAt, recheck }) => ({
            rule,
            severity,
            state,
            url,
            urlId,
            runId,
            foundAt,
            fixedAt,
            recheck,
          })),
      ];
    }),
  );
}

async function redirectsOf({ ctx, site }: Call, indexed: IndexedSite | null, paths: readonly string[]): Promise<Found<Cause['redirect']>> {
  const live = await liveSite(ctx, site.id);
  const graph = indexed && redirectSiteOf(indexed);
  if (!live || !graph) return new Map();
  const rules = createRedirects(partSchemas.redirects.parse(live.parts.redirects));
  const today = dayAt(ctx.now(), site.row.timeZone);
  // One rule may take all paths.
  const known = new Map<RedirectRule, ReturnType<typeof redirectSince>>();
  const sinceOf = (rule: RedirectRule): ReturnType<typeof redirectSince> => {
    const reading = known.get(rule) ?? redirectSince(ctx, site.id, rule);
    known.set(rule, reading);
    return reading;
  };
  const found = paths.map(async (path) => {
    const { hops, end } = followRedirects((from, query) => rules(from, query, () => today), graph, path);
    const rule = hops.find(({ redirect }) => redirect !== null)?.redirect ?? null;
    if (rule === null) return [path, null] as const;
    const since = await sinceOf(rule);
    const { from, to, status } = rule;
    const locations = hops.map(({ location }) => location);
    return [path, { from, to, status, locations, end, release: since?.number ?? null, since: since?.publishedAt ?? null }] as const;
  });
  return new Map(await Promise.all(found));
}

/** Pages that lost visitors today, with what happened to them. What the reader may not read, or what fails, is named and left out. */
export async function causesOf(call: Call, against: 'yesterday' | 'week'): Promise<DashboardCauses> {
  const { ctx, site } = call;
  const at = ctx.now();
  const { day, now, before } = sameTime(at, site.row.timeZone, against === 'week' ? week : 1);
  const [{ visitors, rows }, indexed] = await Promise.all([
    visitorChange(ctx, { id: site.id, timeZone: site.row.timeZone }, now, before, ['entryPath']),
    readIndexedSite(ctx, site.id),
  ]);
  const pages = losses(rows);
  const paths = pages.slice(0, limits.causePages).map(({ path }) => path);
  const unread: DashboardCauses['unread'] = [];
  const readIf = async <T>(source: CauseSource, nothing: T, read: () => Promise<T>): Promise<T> => {
    if (paths.length === 0) return nothing;
    if (!isAllowed(causeNeeds[source], call)) {
      unread.push({ source, reason: 'forbidden' });
      return nothing;
    }
    try {
      return await read();
    } catch (error) {
      ctx.log.warn('A source of causes could not be read', { siteId: site.id, source, error });
      unread.push({ source, reason: 'failed' });
      return nothing;
    }
  };
  const [keywords, issues, redirects] = await Promise.all([
    readIf('keywords', noKeywords, () => keywordsOf(call, new Set(indexed?.hosts), new Set(paths))),
    readIf('issues', new Map() as Found<Cause['issues']>, () => issuesOf(call, indexed, paths, new Date(before.start))),
    readIf('redirects', new Map() as Found<Cause['redirect']>, () => redirectsOf(call, indexed, paths)),
  ]);
  return {
    at,
    compareDay: day,
    visitors,
    ...rankCauses(pages, (path) => ({ keywords: [...(keywords.of.get(path) ?? [])], issues: issues.get(path) ?? [], redirect: redirects.get(path) ?? null })),
    keywordDays: keywords.days,
    unread: unread.toSorted((a, b) => causeSources.indexOf(a.source) - causeSources.indexOf(b.source)),
  };
}
