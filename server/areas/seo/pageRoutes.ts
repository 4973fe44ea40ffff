import type { FastifyInstance } from 'fastify';
import { addressIn } from '../../../contract/languages/addresses';
import type { PageOverride } from '../../../contract/seo/part';
import { seoEndpoints as endpoints } from '../../../contract/seo/schemas';
import { templateValues } from '../../../contract/seo/pageRules';
import { robotsProblemsOf } from '../../../contract/seo/robotsLint';
import { pageProblems, seoLimits } from '../../../contract/seo/terms';
import { mayOnSite } from '../../../contract/permissions';
import { fillTemplate } from '../../../contract/seo/titleTemplate';
import { isIndexed } from '../../../contract/sites/terms';
import { cut } from '../../collect/text';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf, ResponseOf } from '../../http/route';
import { actorOf } from '../audit';
import { searchHealth } from '../crawler';
import { putPart, workingParts } from '../publishing';
import { checkPages } from './checks';
import { livePages, pagesOf, siteFacts, workingPages } from './pages';
import type { PagedSite, SitePage } from './pages';
import { robotsTextOf } from './robots';
import { sitemapFiles, sitemapPages, sitemapPath, baiduPath, recordsPerFile } from './sitemapFiles';

const siteOf = ({ site }: { readonly site: CallOf<typeof endpoints.seoPages>['site'] }) => ({
  id: site.id,
  name: site.row.name,
  defaultLang: site.row.defaultLang,
  timeZone: site.row.timeZone,
});
const languageOf = (languages: readonly string[], tag: string | undefined): string => languages.find((one) => one === tag) ?? languages[0] ?? 'en';

/** What keeps search engines from all pages, whatever the rules of single pages say; null: nothing does. */
async function closedBy(
  ctx: Context,
  { site: { id, row } }: CallOf<typeof endpoints.seoOverview>,
  { settings }: PagedSite,
): Promise<'settings' | 'site' | 'robots' | null> {
  if (settings.robots === 'closed') return 'settings';
  if (!isIndexed(row)) return 'site';
  return robotsProblemsOf(await robotsTextOf(ctx, id)).some(({ code }) => code === 'blocks_all') ? 'robots' : null;
}

async function overview(ctx: Context, call: CallOf<typeof endpoints.seoOverview>): Promise<ResponseOf<typeof endpoints.seoOverview>> {
  const site = await workingPages(ctx, siteOf(call));
  const tag = languageOf(site.languages, call.query.tag);
  const { pages, more } = await pagesOf(site, tag);
  const rows = checkPages(site, pages, tag);
  const known = new Set(rows.map(({ path }) => path));
  const indexable = rows.filter(({ indexing }) => indexing === 'index').length;
  const closed = await closedBy(ctx, call, site);
  const count = (problem: (typeof pageProblems)[number]): number => rows.filter(({ problems }) => problems.includes(problem)).length;
  const crawl = mayOnSite(call.site.role, 'crawler.read') ? await searchHealth(ctx, call.site.id) : null;
  return {
    crawl,
    pages: rows.length,
    indexable,
    more,
    closed: closed ?? (rows.length > 0 && indexable === 0 && !more ? 'rules' : null),
    problems: pageProblems.map((problem) => ({ problem, pages: count(problem) })).filter((one) => one.pages > 0),
    unused: more
      ? []
      : site.seo.overrides
          .map(({ path }) => path)
          .filter((path) => !known.has(path))
          .slice(0, 100),
  };
}

async function listPages(ctx: Context, call: CallOf<typeof endpoints.seoPages>): Promise<ResponseOf<typeof endpoints.seoPages>> {
  const { page, size, q = '', problem, tag: requested } = call.query;
  const row = siteOf(call);
  const { seo } = await workingParts(ctx.postgres.db, row);
  const site = await workingPages(ctx, row);
  const tag = languageOf(site.languages, requested);
  const text = q.trim().toLowerCase();
  const found = checkPages(site, (await pagesOf(site, tag)).pages, tag).filter(
    (one) => (problem === undefined || one.problems.includes(problem)) && `${one.path}\n${one.title}\n${one.description ?? ''}`.toLowerCase().includes(text),
  );
  return { rows: found.slice((page - 1) * size, page * size), total: found.length, revision: seo.revision };
}

const isEmpty = ({ title, description, indexing, image, canonical }: PageOverride): boolean =>
  [...Object.values(title), ...Object.values(description)].every((text) => text === '') && indexing === null && image === null && canonical === '';

/** Replaces the overrides of some paths; one that says nothing is removed. Throws `stale_revision`, or `too_large` if there would be too many. */
async function changePages(ctx: Context, call: CallOf<typeof endpoints.changeSeoPages>): Promise<ResponseOf<typeof endpoints.changeSeoPages>> {
  const expected = call.ifMatch();
  const row = siteOf(call);
  const { seo } = await workingParts(ctx.postgres.db, row);
  const stale = async (): Promise<never> => fail('stale_revision', { current: { revision: (await workingParts(ctx.postgres.db, row)).seo.revision } });
  if (seo.revision !== expected) return stale();
  const overrides = new Map([...seo.content.overrides, ...call.body.overrides].map((override) => [override.path, override]));
  const remaining = [...overrides.values()].filter((override) => !isEmpty(override));
  if (remaining.length > seoLimits.overrides) return fail('too_large');
  const author = { site: row, userId: call.session.userId, actor: actorOf(call) };
  return (await putPart(ctx, author, 'seo', { ...seo.content, overrides: remaining }, expected)) ? { revision: expected + 1 } : stale();
}

async function fillPages(ctx: Context, call: CallOf<typeof endpoints.fillSeoPages>): Promise<ResponseOf<typeof endpoints.fillSeoPages>> {
  const { body } = call;
  const site = await workingPages(ctx, siteOf(call));
  const tag = languageOf(site.languages, body.tag);
  const pages = new Map((await pagesOf(site, tag)).pages.map((page) => [page.path, page]));
  const facts = siteFacts(site, tag);
  const rows = [...new Set(body.paths)].flatMap((path) => {
    const page = pages.get(path);
    if (!page) return [];
    const values = templateValues(site.seo, page, facts);
    const filled = (text: 'title' | 'description'): string => cut(fillTemplate(body[text], values), seoLimits[text]);
    return [{ path, title: filled('title'), description: filled('description') }];
  });
  return { rows };
}

/** Lists and pages that stand alone come before the records of lists. */
async function listLivePages(ctx: Context, call: CallOf<typeof endpoints.livePages>): Promise<ResponseOf<typeof endpoints.livePages>> {
  const site = await livePages(ctx, siteOf(call));
  if (!site) return { rows: [], more: false };
  const language = languageOf(site.languages, undefined);
  const { pages, more } = await pagesOf(site, language);
  const isListed = ({ kind, collection }: SitePage): boolean =>
    kind === 'record' && site.routes.some((one) => one.kind === 'collection' && one.collection === collection && one.listPath !== null);
  const rows = pages
    .toSorted((a, b) => Number(isListed(a)) - Number(isListed(b)))
    .map(({ path, title }) => ({ path, address: addressIn(site.addresses, path, language).path, title: title ?? '' }));
  return { rows: rows.slice(0, seoLimits.livePages), more: more || rows.length > seoLimits.livePages };
}

async function sitemaps(ctx: Context, call: CallOf<typeof endpoints.sitemaps>): Promise<ResponseOf<typeof endpoints.sitemaps>> {
  const site = await livePages(ctx, siteOf(call));
  if (!site) return { none: 'not_released', rows: [] };
  if (site.settings.robots === 'closed') return { none: 'settings', rows: [] };
  if (!isIndexed(call.site.row)) return { none: 'site', rows: [] };
  const totals = new Map<string, number>();
  const [locale = 'en'] = site.languages;
  const files = await sitemapFiles(site, async (table) => {
    const total = totals.get(table) ?? (await site.content.records({ table, fields: {}, locale, limit: 1, count: 'exact' })).total;
    totals.set(table, total);
    return total;
  });
  const perFile = recordsPerFile(site);
  const rows = files.map((file) => ({
    path: sitemapPath(file),
    kind: file.kind,
    collection: file.kind === 'records' ? file.route.collection : null,
    pages: file.kind === 'pages' ? sitemapPages(site).length : Math.min(perFile, (totals.get(file.route.table) ?? 0) - (file.part - 1) * perFile),
  }));
  const flat = site.seo.sitemap.baidu ? rows.map((one, at) => ({ ...one, kind: 'flat' as const, path: baiduPath(at) })) : [];
  const pages = rows.reduce((sum, one) => sum + one.pages, 0);
  const index = rows.length === 0 ? [] : [{ path: '/sitemap.xml', kind: 'index' as const, collection: null, pages }];
  return { none: null, rows: [...index, ...rows, ...flat] };
}

/** Titles, descriptions, indexing and sitemaps. */
export function registerPages(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.seoOverview, (call) => overview(ctx, call));
  route(app, ctx, endpoints.seoPages, (call) => listPages(ctx, call));
  route(app, ctx, endpoints.changeSeoPages, (call) => changePages(ctx, call));
  route(app, ctx, endpoints.fillSeoPages, (call) => fillPages(ctx, call));
  route(app, ctx, endpoints.livePages, (call) => listLivePages(ctx, call));
  route(app, ctx, endpoints.sitemaps, (call) => sitemaps(ctx, call));
}
