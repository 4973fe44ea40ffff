import type { Page } from '@playwright/test';
import type { CrawlRunDetail } from '../../contract/crawler/schemas';
import { fill, flatTree } from '../../src/routes/paths';
import type { WalkData } from './data';
import { searchFigures } from './publishedSite';

/** One screen in one state. */
export type Place = {
  /** The route's id, followed by the state: `account.users.audit`. */
  readonly id: string;
  readonly address: string;
  /** Opened without a session. */
  readonly guest?: true;
  /** Requests that the server is to refuse here. */
  readonly refused?: RegExp;
  /** Leads from the address to the state. */
  readonly act?: (page: Page) => Promise<void>;
};

const submit = (page: Page) => page.locator('button[type="submit"]').first().click();
const appears = (page: Page, selector: string) => page.locator(selector).first().waitFor();

/** States that are part of an address: the id of the route, and the query of each state. */
const statesOf = (data: WalkData): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  'home.create.import': {
    plan: `id=${data.imports.planned}&step=plan`,
    site: `id=${data.imports.planned}&step=site`,
    report: `id=${data.imports.ended}&step=report`,
    archive: `id=${data.imports.archive}&step=report`,
  },
  'account.center': {
    ...Object.fromEntries(['security', 'sessions', 'history', 'tokens', 'notices', 'data'].map((tab) => [tab, `tab=${tab}`])),
    newToken: 'tab=tokens&new=1',
  },
  'account.users': {
    ...Object.fromEntries(['invites', 'grants', 'audit', 'policy'].map((tab) => [tab, `tab=${tab}`])),
    person: `person=${data.readerId}`,
    invite: 'invite=1',
  },
  'account.contacts': { new: 'id=new', one: `id=${data.contactId}`, import: 'import=1' },
  'account.trades': {
    order: `order=${data.orderId}`,
    newOrder: 'order=new',
    invoices: 'tab=invoices',
    statement: `tab=statement&customer=${data.readerId}`,
    titles: 'tab=titles',
  },
  'developer.crawler': { noMatch: 'q=nothing-has-this-name' },
  'developer.crawler.one': Object.fromEntries(['pages', 'links', 'compare', 'families', 'runs', 'exports', 'settings'].map((tab) => [tab, `tab=${tab}`])),
  'developer.crawler.create': {
    ...Object.fromEntries(['scope', 'limits', 'collect', 'schedule'].map((step) => [step, `step=${step}`])),
    json: 'json=1',
  },
  'developer.crawler.site': {
    ...Object.fromEntries(['pages', 'links', 'templates', 'sitemaps', 'compare'].map((tab) => [tab, `tab=${tab}`])),
    ...Object.fromEntries(['broken', 'redirects', 'all'].map((links) => [links, `tab=links&links=${links}`])),
    byTemplate: 'by=template',
    open: 'open=link_broken~',
    ignored: 'list=ignored',
    page: `tab=pages&page=${data.crawls.page}`,
    ...Object.fromEntries(['links', 'history', 'source'].map((view) => [`page${view}`, `tab=pages&page=${data.crawls.rightToLeft}&view=${view}`])),
  },
  'developer.webcv': {
    site: `site=${data.siteId}&range=last90`,
    cls: `site=${data.siteId}&range=last90&metric=cls&by=device`,
    empty: `site=${data.siteId}&path=/nowhere`,
  },
  'site.dashboard': { why: 'why=yesterday' },
  'site.als.funnel': { one: `at=${data.funnelId}` },
  'site.intl': Object.fromEntries(['translate', 'machine', 'files'].map((tab) => [tab, `tab=${tab}`])),
  'site.setting.hostname': { new: 'new=1', open: `open=${data.hostnameId}` },
  'site.setting.countryBlock': { log: 'part=log', versions: 'part=versions' },
  'site.beian': { new: 'new=1', paste: 'paste=1', open: `open=${data.filingId}` },
  'site.cs': {
    ...Object.fromEntries(['look', 'hours', 'form', 'notices', 'code', 'canned', 'blocks', 'statistics'].map((tab) => [tab, `settings=${tab}`])),
    ...Object.fromEntries(['all', 'resolved', 'spam'].map((view) => [view, `view=${view}`])),
    conversation: `conversation=${data.conversationId}`,
    visitor: `conversation=${data.conversationId}&pane=visitor`,
    noMatch: 'q=nothing-has-this-name',
  },
  'site.seo': Object.fromEntries(
    ['pages', 'sitemaps', 'settings', 'robots', 'redirects', 'notFound', 'verification', 'push', 'keywords'].map((tab) => [tab, `tab=${tab}`]),
  ),
  'site.setting.base.menus': { addresses: 'part=addresses', redirects: 'part=redirects' },
  'site.setting.imports': { reconcile: 'tab=reconcile' },
  'site.setting.base.theme': {
    files: 'view=files&file=templates/home.liquid',
    history: 'view=files&file=assets/theme.css&show=history',
    shipped: 'view=files&file=assets/theme.css&show=shipped',
    preview: 'view=preview',
  },
  'site.setting.measuring': Object.fromEntries(['visits', 'bots', 'loss', 'erase'].map((part) => [part, `part=${part}`])),
  'site.setting.share': { reports: 'tab=reports', alerts: 'tab=alerts', uptime: 'tab=uptime', new: 'new=1' },
  'site.als.trend': { compared: 'range=last7&compare=before', empty: 'filter=path:is:/nowhere' },
  'site.table.records': {
    kanban: `table=${data.tableId}&view=${data.views.kanban}`,
    gallery: `table=${data.tableId}&view=${data.views.gallery}`,
    calendar: `table=${data.tableId}&view=${data.views.calendar}`,
    record: `table=${data.tableId}&record=${data.recordId}`,
    import: `table=${data.tableId}&import=new`,
    covers: `table=${data.articles.tableId}`,
    coverKanban: `table=${data.articles.tableId}&view=${data.articles.kanban}`,
    coverGallery: `table=${data.articles.tableId}&view=${data.articles.gallery}`,
    coverRecord: `table=${data.articles.tableId}&record=${data.articles.recordId}`,
  },
  'site.resource.images': {
    one: `item=${data.resources.image}`,
    bin: 'bin=1',
    noAlt: 'filter=noAlt',
    duplicates: 'filter=duplicates',
    noMatch: 'q=nothing-has-this-name',
  },
  'site.resource.svgs': { one: `item=${data.resources.svg}`, bin: 'bin=1' },
  'site.resource.videos': data.resources.video === '' ? {} : { one: `item=${data.resources.video}` },
  'site.resource.attachments': { pdf: `item=${data.resources.attachment}`, csv: `item=${data.resources.csv}`, emptyBin: 'bin=1' },
  'site.table.fields': { layout: `table=${data.tableId}&part=layout` },
  'site.table.admin': Object.fromEntries(
    ['tokens', 'shares', 'webhooks', 'indexes', 'maintenance', 'audit', 'jobs', 'trash', 'api'].map((part) => [part, `part=${part}`]),
  ),
});

/** Screens that mean nothing without a table or a day show these. */
const queryOf = (data: WalkData): Readonly<Record<string, string>> => ({
  'site.table.records': `table=${data.tableId}`,
  'site.table.fields': `table=${data.tableId}`,
});

/** Screens of sites that are delivered here. */
const deliveredOnly: ReadonlySet<string> = new Set(['site.setting.hostname', 'site.setting.countryBlock', 'site.beian']);
/** Screens that mean nothing before a release. */
const releasedOnly: ReadonlySet<string> = new Set(['site.seo', 'site.intl', 'site.cs']);

const siteOf = (id: string, data: WalkData): string =>
  id === 'developer.crawler.site' ? data.crawls.siteId : releasedOnly.has(id) ? data.publishedSiteId : deliveredOnly.has(id) ? data.builtSiteId : data.siteId;

/** Every route that shows a page (redirects lead to one of them), and its states. */
function consolePlaces(data: WalkData): Place[] {
  const states = statesOf(data);
  const queries = queryOf(data);
  for (const id of [...Object.keys(states), ...Object.keys(queries)])
    if (!flatTree.some(({ node }) => node.id === id && node.load)) throw new Error(`The walk has states of ${id}, which shows no page`);
  return flatTree.flatMap(({ node, path }): Place[] => {
    if (!node.load) return [];
    // The demo site measures pages that are hosted elsewhere.
    const siteId = siteOf(node.id, data);
    const address = fill(path, { siteId, pageId: data.pageId, crawlerId: data.crawls.audit });
    if (address === null) throw new Error(`The walk has no value for a parameter of ${path}`);
    const query = queries[node.id];
    return [
      { id: node.id, address: query === undefined ? address : `${address}?${query}` },
      ...Object.entries(states[node.id] ?? {}).map(([state, search]) => ({ id: `${node.id}.${state}`, address: `${address}?${search}` })),
    ];
  });
}

/** Screens of a site without any data, and addresses that do not exist. */
const emptyPlaces = ({ emptySiteId }: WalkData): readonly Place[] => [
  ...[
    'dashboard',
    'als/overview',
    'als/latest',
    'als/goal',
    'seo',
    'intl',
    'setting/share',
    'setting/hostname',
    'setting/country_block',
    'beian',
    'setting/base',
    'setting/base/menus',
    'setting/base/releases',
    'table/records',
    'table/schemas',
    'resource/images',
    'resource/attachments',
    'setting/base/theme',
  ].map((path) => ({
    id: `empty.${path.replace('/', '.')}`,
    address: `/site/${emptySiteId}/${path}`,
  })),
  { id: 'unknown', address: '/nowhere' },
  { id: 'unknown.site', address: '/site/abcdefgh2345/als/overview' },
  { id: 'unknown.report', address: `/site/${emptySiteId}/als/nowhere` },
];

/** Requests to the pages of a site by day, more on each earlier one. */
const deliveredDays = Array.from({ length: 30 }, (_, ago) => ({
  day: `2026-11-${String(30 - ago).padStart(2, '0')}`,
  pages: 12_345 * ago,
  measured: 9_876 * ago,
  programs: 431 * ago,
  notFound: ago,
  errors: ago % 3,
  bytes: 87_654_321 * ago,
  medianMs: ago === 0 ? null : 40 + ago,
}));

/** States of a site that is built here. */
const builtPlaces = ({ builtSiteId }: WalkData): readonly Place[] => [
  {
    id: 'built.setting.base.languages',
    address: `/site/${builtSiteId}/setting/base`,
    act: async (page) => {
      await page.locator('.address-list + div > button').first().click();
      await appears(page, '[role="dialog"] .address-list');
      await page.locator('[role="dialog"] .address-list button[aria-expanded]').last().click();
      await appears(page, '[role="dialog"] .language-options');
    },
  },
  {
    id: 'built.setting.base.export',
    address: `/site/${builtSiteId}/setting/base`,
    act: async (page) => {
      const archive = { jobId: null, createdAt: '2026-11-20T08:00:00.000Z' };
      const data = [
        { ...archive, id: '00000000-0000-4000-8000-000000000001', state: 'done', size: 48_234_123 },
        { ...archive, id: '00000000-0000-4000-8000-000000000002', state: 'failed', size: null },
      ];
      await page.route('**/api/core/imports/exports/*', (route) => route.fulfill({ json: { data } }));
      await page.reload();
      await page.locator('.publishing-archives').scrollIntoViewIfNeeded();
    },
  },
  {
    id: 'home.suspend',
    address: '/home',
    act: async (page) => {
      await page.locator('main button[aria-haspopup="menu"]').first().click();
      await page.getByRole('menuitem', { name: /^(?:停用…|Suspend…)$/ }).click();
      await appears(page, '[role="dialog"] form');
    },
  },
  {
    id: 'built.setting.base.releases',
    address: `/site/${builtSiteId}/setting/base/releases?days=30`,
    act: async (page) => {
      await page.route('**/setting/requests?*', (route) => route.fulfill({ json: { data: deliveredDays } }));
      await page.reload();
      await appears(page, 'main table');
    },
  },
];

/** Tabs whose figures come from search engines and visitors, and editors that open in place. */
const publishedPlaces = ({ publishedSiteId }: WalkData): readonly Place[] => [
  ...['notFound', 'push', 'keywords'].map((tab): Place => ({
    id: `published.seo.${tab}`,
    address: `/site/${publishedSiteId}/seo?tab=${tab}`,
    act: async (page) => {
      for (const [end, data] of Object.entries(searchFigures)) await page.route(`**/${end}`, (route) => route.fulfill({ json: { data } }));
      await page.reload();
      await appears(page, 'main table');
    },
  })),
  {
    id: 'published.setting.theme.texts',
    address: `/site/${publishedSiteId}/setting/base/theme?tag=en`,
    act: async (page) => {
      // The preview is on another origin.
      const preview = { address: 'about:blank?', pseudoAddress: 'about:blank?', expiresAt: '2027-11-20T08:00:00.000Z' };
      await page.route('**/setting/preview', (route) => route.fulfill({ json: { data: preview } }));
      await page.reload();
      await appears(page, '.theme-language');
    },
  },
  {
    id: 'published.seo.pages.editor',
    address: `/site/${publishedSiteId}/seo?tab=pages`,
    act: async (page) => {
      await page.locator('.seo-page button').first().click();
      await appears(page, '.seo-editor');
    },
  },
];

/** A crawl that goes on: real ones of the test are over within a second. */
async function showRunning(page: Page): Promise<void> {
  const progress: NonNullable<CrawlRunDetail['progress']> = {
    pagesPerSecond: 18.4,
    bytesPerSecond: 734_000,
    latency: { median: 84, p95: 412 },
    remainingMs: 412_000,
    hosts: [{ host: 'shop.example.com', limit: 4, active: 3, delayMs: 100, averageMs: 91, closed: false }],
    workers: 2,
    pace: 24,
    pausedFamilies: 1,
  };
  const rendering: CrawlRunDetail['rendering'] = { needScripts: 31, rendered: 24, failures: 2, stop: 'browser_failed' };
  const counters = { pages: 1234, queued: 8761, discovered: 9995, errors: 17 };
  for (const end of ['crawlers/*', 'crawl-runs/*'])
    await page.route(`**/api/dev/${end}`, async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: { counters?: object; lastRun?: object } };
      const change = { state: 'running', finishedAt: null };
      await route.fulfill({
        json: {
          data: data.lastRun
            ? { ...data, lastRun: { ...data.lastRun, ...change } }
            : { ...data, ...change, progress, rendering, counters: { ...data.counters, ...counters } },
        },
      });
    });
  await page.reload();
  await appears(page, '.crawl-figures');
}

/** Columns that are chosen on a list of products. */
async function choose(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(在网页上选取|Choose on the page)$/ }).click();
  await appears(page, '.sample-page [data-at]');
  const address = page.locator('.picking-address input');
  await address.fill(`${await address.inputValue()}tea`);
  await address.press('Enter');
  await page.locator('.sample-page').getByText('祁门红茶').last().click();
  await page.getByRole('button', { name: /^(每个条目一行|One row for each item)$/ }).click();
  await page.locator('.sample-page').getByText('¥ 68.00').click();
  await page.locator('.sample-page .sample-image').first().click();
  await appears(page, '.picking-preview td');
}

/** Crawlers of other kinds and in other states, and a new one. */
const crawlerPlaces = ({ crawls, emptySiteId }: WalkData): readonly Place[] => [
  { id: 'crawls.rows', address: `/developer/crawler/${crawls.extraction}?tab=rows` },
  { id: 'crawls.extraction', address: `/developer/crawler/${crawls.extraction}/create?step=collect` },
  { id: 'crawls.picking', address: `/developer/crawler/${crawls.extraction}/create?step=collect`, act: choose },
  { id: 'crawls.paused', address: `/developer/crawler/${crawls.paused}` },
  { id: 'crawls.running', address: `/developer/crawler/${crawls.audit}`, act: showRunning },
  { id: 'crawls.none', address: `/developer/crawler/site/${emptySiteId}` },
];

const signPlaces = ({ links, secondFactor }: WalkData): readonly Place[] => [
  { id: 'sign', address: '/sign/', guest: true },
  {
    id: 'sign.invalid',
    address: '/sign/',
    guest: true,
    act: async (page) => {
      await submit(page);
      await appears(page, '[aria-invalid="true"]');
    },
  },
  {
    id: 'sign.second',
    address: '/sign/',
    guest: true,
    act: async (page) => {
      await page.locator('input[name="username"]').fill(secondFactor.loginName);
      await page.locator('input[name="password"]').fill(secondFactor.password);
      await submit(page);
      await appears(page, 'input[name="one-time-code"]');
    },
  },
  { id: 'sign.forgot', address: '/sign/forgot', guest: true },
  { id: 'sign.reset', address: links.reset, guest: true, act: (page) => page.locator('input[name="new-password"]').fill('short') },
  { id: 'sign.invite', address: links.invite, guest: true },
  { id: 'sign.resetEnded', address: `/sign/reset#t=${'x'.repeat(43)}`, guest: true, refused: /reset-state/ },
  { id: 'sign.emailEnded', address: `/sign/email#t=${'x'.repeat(43)}`, guest: true, refused: /sign\/email/ },
  {
    id: 'sign.setup',
    address: '/sign/setup?again#t=a-token',
    guest: true,
    act: async (page) => {
      await page.route('**/api/acc/sign/setup-state', (route) => route.fulfill({ json: { data: { needed: true, tokenValid: true, mail: true } } }));
      await page.reload();
    },
  },
];

/** What is folded at first. */
const importPlaces = ({ imports }: WalkData): readonly Place[] => [
  {
    id: 'home.create.import.fields',
    address: `/home/create/home_create_import?id=${imports.planned}&step=plan`,
    act: async (page) => {
      await page.locator('.import-fields summary').first().click();
      await page.locator('.import-fields select').first().waitFor();
    },
  },
];

const linkPlaces = ({ siteId, links }: WalkData): readonly Place[] => [
  { id: 'open.view', address: links.view, guest: true },
  { id: 'open.form', address: links.form, guest: true },
  {
    id: 'open.form.invalid',
    address: links.form,
    guest: true,
    act: async (page) => {
      await submit(page);
      await appears(page, '[aria-invalid="true"]');
    },
  },
  { id: 'open.ended', address: `/view/${'x'.repeat(43)}`, guest: true, refused: /api\/view/ },
  { id: 'publicReports', address: links.report, guest: true },
  { id: 'publicReports.path', address: `${links.report}/site/${siteId}/als/path`, guest: true },
  { id: 'publicReports.refused', address: `${links.report}/site/${siteId}/als/keyword`, guest: true },
  { id: 'publicReports.ended', address: `/share/${'x'.repeat(43)}`, guest: true, refused: /api\/share/ },
];

export const placesOf = (data: WalkData): readonly Place[] => [
  ...consolePlaces(data),
  ...emptyPlaces(data),
  ...builtPlaces(data),
  ...publishedPlaces(data),
  ...crawlerPlaces(data),
  ...importPlaces(data),
  ...signPlaces(data),
  ...linkPlaces(data),
];
