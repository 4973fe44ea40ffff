import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { CrawledPage, CrawlGraph, CrawlIssue, CrawlIssueGroup, CrawlRedirect, PageFacets, RunComparison } from '../../contract/crawler/inventorySchemas';
import type { ComparedPage, CrawledPageDetail, CrawlLinkRow, CrawledSite, CrawlSitemaps, CrawlTemplate } from '../../contract/crawler/inventorySchemas';
import { pageNumbers, pageSorts } from '../../contract/crawler/inventoryTerms';
import type { PageNumber, PageSort } from '../../contract/crawler/inventoryTerms';
import { DAY } from '../../server/zone';
import { dataOf, makeTestApp } from '../support/app';
import { wrongCounts } from '../support/crawlCounts';
import type { Person, TestApp } from '../support/app';
import { caseCounts } from '../support/caseCounts';
import { seedCrawler } from '../support/crawlData';
import type { SeedIssue, SeedPage } from '../support/crawlData';

jest.setTimeout(60_000);
const origin = 'https://tea.example';
const at = (path: string): string => `${origin}${path}`;
type Part<R> = { readonly rows: R[]; readonly next: string | null };

let t: TestApp;
let owner: Person;
let siteId: string;
let otherSiteId: string;
let crawl: Awaited<ReturnType<typeof seedCrawler>>;
let first: { runId: string; number: number };
let second: { runId: string; number: number };
const idOf = (path: string): number => crawl.idOf(at(path));
const ofRun = (rest: string, { runId } = second): string => `/api/dev/crawl-runs/${runId}/${rest}`;
const read = async <R>(url: string, by: Person = owner): Promise<R> => dataOf<R>(await by.get(url));
const statusOf = async (url: string, by: Person = owner): Promise<number> => (await by.get(url)).statusCode;

/** Sixty pages of every kind, with gaps, equal values and text that filters could misread. */
const various: SeedPage[] = Array.from({ length: 60 }, (_, n): SeedPage => {
  const kind = n % 12;
  return {
    url: kind === 11 ? `https://elsewhere.example/${String(n)}` : at(n === 0 ? '/' : `/${['blog', '茶', '100%_off'][n % 3] ?? ''}/${String(n)}`),
    internal: kind !== 11,
    html: kind !== 10 && kind !== 11,
    status: [200, 200, 200, 200, 301, 404, 500, 0, 200, 200, 200, 200][kind] ?? 200,
    title: n % 7 === 0 ? null : `Tea ${String(n % 5)}`,
    template: n % 9 === 0 ? null : (['a', 'b', 'c'][n % 3] ?? null),
    language: n % 8 === 0 ? null : (['en', 'zh'][n % 2] ?? null),
    depth: n === 0 ? 0 : 1 + (n % 4),
    linksIn: n % 6 === 0 ? 0 : n % 10,
    linksInternal: n % 3,
    pageRank: n % 4 === 0 ? null : 1 / (1 + (n % 13)),
    units: (n * 37) % 500,
    bytes: n * 1000,
    firstByteMs: (n * 131) % 900,
    inSitemap: n % 5 === 0,
  };
});
const issues: SeedIssue[] = [
  { rule: 'title_missing', url: various[0]?.url ?? null, severity: 'error', impact: 9 },
  ...[7, 14, 28, 49].map((n): SeedIssue => ({ rule: 'title_missing', url: various[n]?.url ?? null, severity: 'error', impact: 4 + n / 100, firstRun: 1 })),
  ...[3, 6, 9].map((n): SeedIssue => ({ rule: 'content_thin', url: various[n]?.url ?? null, impact: 2, state: n === 3 ? 'regressed' : 'open' })),
  { rule: 'sitemap_missing', url: null, impact: 1 },
];

beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
  siteId = (await t.makeSite(owner, { url: origin, purpose: 'external' })).id;
  otherSiteId = (await t.makeSite(owner, { name: 'Other', url: 'https://other.example', purpose: 'external' })).id;
  crawl = await seedCrawler(t.ctx, siteId, { now: t.ctx.now() - DAY });
  first = await crawl.run({ pages: various, issues: [{ rule: 'url_long', url: at('/blog/3') }], score: 70 });
  second = await crawl.run({
    pages: various,
    issues: [...issues, { rule: 'url_long', url: at('/blog/3'), state: 'fixed', fixedRun: 2, firstRun: 1 }],
    links: [
      { from: at('/'), to: at('/blog/3') },
      { from: at('/'), to: various[5]?.url ?? '', anchor: '=HYPERLINK("x")' },
      { from: at('/blog/3'), to: at('/'), position: 'nav' },
      { from: at('/blog/3'), to: various[5]?.url ?? '' },
    ],
    skipped: [at('/hidden')],
    score: 82,
  });
});
afterAll(() => t.close());

const walkAll = async <R>(url: string): Promise<R[]> => {
  const rows: R[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const part: Part<R> = await read(`${url}${cursor === '' ? '' : `&before=${encodeURIComponent(cursor)}`}`);
    rows.push(...part.rows);
    cursor = part.next;
  }
  return rows;
};

describe('pages', () => {
  type Filter = { q?: string; status?: string; kind?: string; template?: string; language?: string; sitemap?: string; orphan?: string; range?: string };
  const camel: Readonly<Partial<Record<PageNumber, keyof SeedPage>>> = {
    status: 'status',
    depth: 'depth',
    links_in: 'linksIn',
    units: 'units',
    bytes: 'bytes',
    first_byte_ms: 'firstByteMs',
    page_rank: 'pageRank',
    links_internal: 'linksInternal',
  };
  const numberOf = (page: object, name: PageNumber): number => Number((page as Readonly<Record<string, unknown>>)[camel[name] ?? 'status'] ?? 0);

  /** The filters once more, over objects in memory. */
  function matches(page: SeedPage, { q, status, kind, template, language, sitemap, orphan, range }: Filter): boolean {
    const kindOf = page.internal === false ? 'external' : page.html === false ? 'file' : 'page';
    const isOrphan = kindOf === 'page' && page.linksIn === 0 && page.depth !== 0;
    const [name = '', from = '', to = ''] = range?.split(':') ?? [];
    const value = numberOf(page, name as PageNumber);
    return (
      (q === undefined || `${page.url}\n${page.title ?? ''}`.toLowerCase().includes(q.toLowerCase())) &&
      (status === undefined ||
        (status === 'none'
          ? page.status === 0
          : status.endsWith('xx')
            ? String(page.status)[0] === status[0] && page.status !== 0
            : String(page.status) === status)) &&
      (kind === undefined || kind === kindOf) &&
      (template === undefined || page.template === template) &&
      (language === undefined || (page.language ?? 'none') === language) &&
      (sitemap === undefined || page.inSitemap === (sitemap === '1')) &&
      (orphan === undefined || isOrphan === (orphan === '1')) &&
      (range === undefined || ((from === '' || value >= Number(from)) && (to === '' || value <= Number(to))))
    );
  }
  const some = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
  const filters = fc.record({
    q: some('tea', 'TEA 1', '茶', '100%', '_', '3'),
    status: some('2xx', '3xx', '4xx', '404', 'none'),
    kind: some('page', 'file', 'external'),
    template: some('a', 'b', 'x'),
    language: some('en', 'none'),
    sitemap: some('0', '1'),
    orphan: some('0', '1'),
    range: some('depth:2:3', 'bytes:20000:', 'page_rank::0.2', 'units:100:250', 'first_byte_ms:0.5:700.5'),
  });

  test('filters and orders agree with objects in memory, and cursors reach every row once', async () => {
    const cases = caseCounts();
    const property = fc.asyncProperty(filters, fc.constantFrom(...pageSorts), fc.constantFrom('asc', 'desc'), async (filter, sort: PageSort, dir) => {
      const defined = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Record<string, string>;
      const rows = await walkAll<CrawledPage>(ofRun(`pages?${new URLSearchParams({ ...defined, sort, dir, size: '7' }).toString()}`));
      const expected = various.filter((page) => matches(page, defined));
      expect(rows.map(({ url }) => url).toSorted()).toEqual(expected.map(({ url }) => url).toSorted());
      if (sort !== 'fetched_at' && sort !== 'total_ms' && sort !== 'links_external') {
        const valueOf = (page: CrawledPage): string | number => (sort === 'url' ? page.url : sort === 'title' ? (page.title ?? '') : numberOf(page, sort));
        const values = rows.map(valueOf);
        const ordered = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        if (sort !== 'url' && sort !== 'title') expect(values).toEqual(dir === 'asc' ? ordered : ordered.toReversed());
        else if (values.every((value) => !/[^\u0000-\u007f]/.test(String(value)))) expect(values).toEqual(dir === 'asc' ? ordered : ordered.toReversed());
      }
      if (rows.length > 7) cases.count();
    });
    await fc.assert(property, { numRuns: 25 });
    cases.expectAtLeast(3);
  });

  test('facets count what the filters find', async () => {
    const facets = await read<PageFacets>(ofRun('pages/facets'));
    const totalOf = async (query: string): Promise<number> => (await read<{ total: number }>(ofRun(`pages?size=1&${query}`))).total;
    expect(facets.total).toBe(60);
    for (const { value, pages } of facets.statuses) expect(await totalOf(`status=${value}`)).toBe(pages);
    for (const { value, pages } of facets.templates) expect(await totalOf(`template=${value}`)).toBe(pages);
    expect(facets.rules).toContainEqual({ value: 'title_missing', pages: 5 });
    expect(await totalOf('rule=title_missing')).toBe(5);
    expect(facets.orphans).toBe(await totalOf('orphan=1'));
    expect(facets.inSitemap).toBe(await totalOf('sitemap=1'));
    expect(pageNumbers).toContain('depth');
  });

  test('one page has its issues, its history and its visits', async () => {
    const page = await read<CrawledPageDetail>(ofRun(`pages/${String(crawl.idOf(at('/')))}`));
    expect(page).toMatchObject({ url: at('/'), found: [{ rule: 'title_missing', severity: 'error' }], visits: { visits: 0, views: 0 }, hasBody: false });
    expect(page.history.map(({ number, issues: found, changed }) => [number, found, changed])).toEqual([
      [2, 1, []],
      [1, 0, []],
    ]);
    expect(await statusOf(ofRun('pages/77'))).toBe(404);
    expect(await statusOf(ofRun(`pages/${String(page.urlId)}/body`))).toBe(404);
  });

  test('an exported file has every page and no formula', async () => {
    const { body, headers } = await owner.get(ofRun('pages/export?sort=url&dir=asc&kind=external'));
    expect(headers['content-disposition']).toContain('-crawl-2-pages.csv');
    expect(body.split('\r\n').filter((line) => line.startsWith('https://elsewhere.example/'))).toHaveLength(5);
  });
});

describe('links', () => {
  test('links of a page and to it are those that were stored', async () => {
    const out = await read<Part<CrawlLinkRow>>(ofRun(`pages/${String(idOf('/'))}/links?direction=out&size=1`));
    expect(out.next).not.toBeNull();
    const all = await walkAll<CrawlLinkRow>(ofRun(`pages/${String(idOf('/'))}/links?direction=out&size=1`));
    expect(all.map(({ to }) => to.url)).toEqual([at('/blog/3'), various[5]?.url]);
    const into = await read<Part<CrawlLinkRow>>(ofRun(`pages/${String(idOf('/'))}/links?direction=in`));
    expect(into.rows).toMatchObject([{ from: { url: at('/blog/3') }, position: 'nav' }]);
  });

  test('broken links are those to pages that failed', async () => {
    const { rows } = await read<Part<CrawlLinkRow>>(ofRun('links?target=broken'));
    expect(rows.map(({ from, to }) => `${from.url} ${String(to.status)}`).toSorted()).toEqual([`${at('/')} 404`, `${at('/blog/3')} 404`]);
    expect((await read<Part<CrawlLinkRow>>(ofRun('links?target=redirect'))).rows).toEqual([]);
    expect((await read<Part<CrawlLinkRow>>(ofRun('links?position=nav'))).rows).toHaveLength(1);
  });

  test('the graph counts links between templates', async () => {
    const graph = await read<CrawlGraph>(ofRun('graph'));
    const pages = various.filter(({ internal, html }) => internal !== false && html !== false);
    expect(graph.nodes.reduce((sum, node) => sum + node.pages, 0)).toBe(pages.length);
    expect(graph.edges.reduce((sum, { links }) => sum + links, 0)).toBe(4);
    expect(graph.depths.reduce((sum, one) => sum + one.pages, 0)).toBe(pages.length);
    expect(graph.sampled).toBe(false);
    expect(graph.top[0]?.pageRank).toBeGreaterThanOrEqual(graph.bottom[0]?.pageRank ?? 1);
    const templates = await read<{ rows: CrawlTemplate[] }>(ofRun('templates'));
    expect(templates.rows.reduce((sum, one) => sum + one.pages, 0)).toBe(pages.filter(({ template }) => template !== null).length);
  });

  test('a chain of redirects is listed with every hop, a loop as one', async () => {
    const { runId } = await crawl.run({
      pages: [
        { url: at('/a'), status: 301, redirectTo: at('/b') },
        { url: at('/b'), status: 302, redirectTo: at('/c') },
        { url: at('/c') },
        { url: at('/x'), status: 301, redirectTo: at('/y') },
        { url: at('/y'), status: 301, redirectTo: at('/x') },
      ],
    });
    const rows = await walkAll<CrawlRedirect>(`/api/dev/crawl-runs/${runId}/redirects?size=2`);
    const byPath = new Map(
      rows.map(({ from, hops, loops }) => [from.url.slice(origin.length), { hops: hops.map(({ url }) => url.slice(origin.length)), loops }]),
    );
    expect(byPath.get('/a')).toEqual({ hops: ['/b', '/c'], loops: false });
    expect(byPath.get('/b')).toEqual({ hops: ['/c'], loops: false });
    expect(byPath.get('/x')?.loops).toBe(true);
    expect(rows).toHaveLength(4);
  });
});

describe('issues', () => {
  const change = (body: object, by: Person = owner) => by.send('POST', `/api/dev/crawlers/${crawl.crawlerId}/issues`, body);
  const list = async (query: string): Promise<CrawlIssue[]> => (await read<Part<CrawlIssue>>(ofRun(`issues?${query}`))).rows;
  const counts = async () => (await read<{ counts: Record<string, number> }>(ofRun('issues/groups'))).counts;

  test('lists are those of the life cycle, by impact', async () => {
    expect(await counts()).toEqual({ found: 9, new: 5, regressed: 1, ignored: 0, fixed: 1 });
    const found = await list('list=found');
    expect(found.map(({ impact }) => impact)).toEqual(found.map(({ impact }) => impact).toSorted((a, b) => b - a));
    expect(await walkAll<CrawlIssue>(ofRun('issues?size=2'))).toEqual(found);
    expect((await list('list=fixed')).map(({ rule }) => rule)).toEqual(['url_long']);
    const groups = await read<{ rows: CrawlIssueGroup[] }>(ofRun('issues/groups?by=template&rule=title_missing'));
    expect(groups.rows.reduce((sum, one) => sum + one.pages, 0)).toBe(5);
  });

  test('an ignored issue returns when its time is over', async () => {
    const [one] = await list('rule=content_thin');
    const until = new Date(t.ctx.now() + 60_000).toISOString();
    expect((await change({ change: 'ignore', select: { ids: [one?.id] } })).statusCode).toBe(422);
    const ignored = dataOf<{ changed: number; changedAt: string }>(await change({ change: 'ignore', select: { ids: [one?.id] }, reason: 'Planned', until }));
    expect(ignored.changed).toBe(1);
    expect(await list('list=ignored')).toMatchObject([{ id: one?.id, ignored: { reason: 'Planned', until } }]);
    expect(await counts()).toMatchObject({ found: 8, ignored: 1 });
    t.pass(61_000);
    expect(await counts()).toMatchObject({ found: 9, ignored: 0 });
    dataOf(await change({ change: 'undo', select: { changedAt: ignored.changedAt } }));
    expect((await list('rule=content_thin')).map(({ state }) => state).toSorted()).toEqual(['open', 'open', 'regressed']);
  });

  test('a group is ignored at once and reopened, which can be taken back too', async () => {
    const group = { runId: second.runId, rule: 'title_missing' };
    expect(dataOf(await change({ change: 'ignore', select: group, reason: 'Old pages' }))).toMatchObject({ changed: 5 });
    t.pass(1000);
    const reopened = dataOf<{ changed: number; changedAt: string }>(await change({ change: 'reopen', select: group }));
    expect(reopened.changed).toBe(5);
    expect(await counts()).toMatchObject({ ignored: 0 });
    t.pass(1000);
    dataOf(await change({ change: 'undo', select: { changedAt: reopened.changedAt } }));
    expect(await counts()).toMatchObject({ ignored: 5 });
    t.pass(1000);
    dataOf(await change({ change: 'reopen', select: group }));
    const entries = await t.ctx.postgres.pool.query(`SELECT action FROM audit_log WHERE target_kind = 'crawler' ORDER BY id DESC LIMIT 4`);
    expect(entries.rows).toEqual(['reopened', 'ignored', 'reopened', 'ignored'].map((action) => ({ action: `crawlIssue.${action}` })));
  });
});

describe('comparison', () => {
  test('two unchanged runs have no difference', async () => {
    const result = await read<RunComparison>(ofRun(`compare/${first.runId}`));
    expect(result).toMatchObject({ added: 0, removed: 0, changed: 0, fields: [] });
    expect((await read<Part<ComparedPage>>(ofRun(`compare/${first.runId}/pages`))).rows).toEqual([]);
    expect(result.fixedIssues).toMatchObject([{ rule: 'url_long', issues: 1 }]);
    expect(result.newIssues.reduce((sum, one) => sum + one.issues, 0)).toBe(9);
  });

  test('added, removed and changed pages are listed with their fields', async () => {
    const pages = various.filter(({ url }) => url !== at('/blog/3'));
    const third = await crawl.run({
      pages: [...pages.map((page) => (page.url === at('/') ? { ...page, title: 'New', status: 301, redirectTo: at('/new') } : page)), { url: at('/new') }],
    });
    const path = `/api/dev/crawl-runs/${third.runId}/compare/${second.runId}`;
    expect(await read<RunComparison>(path)).toMatchObject({
      added: 1,
      removed: 1,
      changed: 1,
      fields: [
        { field: 'status', pages: 1 },
        { field: 'redirect', pages: 1 },
        { field: 'indexing', pages: 1 },
        { field: 'title', pages: 1 },
      ],
    });
    const rows = await walkAll<ComparedPage>(`${path}/pages?size=1`);
    expect(rows.map(({ url, change }) => `${change} ${url}`).toSorted()).toEqual([`added ${at('/new')}`, `changed ${at('/')}`, `removed ${at('/blog/3')}`]);
    expect(rows.find(({ change }) => change === 'changed')?.fields).toContainEqual({ field: 'redirect', before: '', after: at('/new') });
    expect((await read<Part<ComparedPage>>(`${path}/pages?field=title`)).rows).toHaveLength(1);
  });
});

test('the site has its runs and what sitemaps lack', async () => {
  const site = await read<CrawledSite>(`/api/dev/sites/${siteId}/crawled`);
  expect(site.runs.slice(-2).map(({ number, score }) => [number, score])).toEqual([
    [2, 82],
    [1, 70],
  ]);
  const sitemaps = await read<CrawlSitemaps>(ofRun('sitemaps'));
  expect(sitemaps.skipped).toEqual([{ reason: 'robots', pages: 1, examples: [at('/hidden')] }]);
  expect(sitemaps.listed).toBe(various.filter(({ inSitemap }) => inSitemap).length + 1);
});

test('people read only the runs of their sites, and only some change issues', async () => {
  const viewer = await t.makePerson('member');
  await t.grant(siteId, viewer.userId, 'viewer');
  const stranger = await t.makePerson('member');
  await t.grant(otherSiteId, stranger.userId, 'admin');
  for (const rest of ['pages', 'pages/facets', `pages/${String(idOf('/'))}`, 'issues', 'links', 'graph', 'templates', 'sitemaps', `compare/${first.runId}`]) {
    expect([rest, await statusOf(ofRun(rest), viewer)]).toEqual([rest, 200]);
    expect([rest, await statusOf(ofRun(rest), stranger)]).toEqual([rest, 404]);
  }
  expect(await statusOf(`/api/dev/sites/${siteId}/crawled`, stranger)).toBe(404);
  const body = { change: 'ignore', select: { runId: second.runId, rule: 'title_missing' }, reason: 'x' };
  expect((await viewer.send('POST', `/api/dev/crawlers/${crawl.crawlerId}/issues`, body)).statusCode).toBe(403);
  expect((await stranger.send('POST', `/api/dev/crawlers/${crawl.crawlerId}/issues`, body)).statusCode).toBe(404);
  const foreign = await seedCrawler(t.ctx, otherSiteId, { now: t.ctx.now() });
  const foreignRun = await foreign.run({ pages: [{ url: 'https://other.example/' }] });
  expect(await statusOf(ofRun(`compare/${foreignRun.runId}`))).toBe(404);
  expect((await owner.send('POST', `/api/dev/crawlers/${foreign.crawlerId}/issues`, body)).statusCode).toBe(404);
});

test('stored counts of issues are those of the issues', async () => {
  expect(await wrongCounts(t)).toEqual([]);
});
