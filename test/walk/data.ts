import type { Browser, BrowserContext } from '@playwright/test';
import type { Resource } from '../../contract/resources/schemas';
import type { ResourceKind } from '../../contract/resources/terms';
import type { ContentTable } from '../../contract/tables/schemas';
import { codeFor } from '../e2e/support/accounts';
import { owner, type ConsoleProgram } from '../e2e/support/console';
import { addWebsiteImports } from './websiteImports';
import type { WebsiteImports } from './websiteImports';
import { addCrawls, type Crawled } from './crawledSite';
import { addPublishedSite } from './publishedSite';
import { addSupport } from './supportData';

/** What the places of the walk refer to: one of everything that a route or a link needs, on the demo site. */
export type WalkData = {
  readonly siteId: string;
  readonly emptySiteId: string;
  /** A site that is built here, with a hostname. */
  readonly builtSiteId: string;
  readonly hostnameId: string;
  /** A site that is built here and released, in three languages. */
  readonly publishedSiteId: string;
  /** A conversation with customer service of that site. */
  readonly conversationId: string;
  readonly filingId: string;
  readonly pageId: string;
  readonly tableId: string;
  readonly recordId: string;
  readonly views: { readonly kanban: string; readonly gallery: string; readonly calendar: string };
  /** Of the demo: its articles with covers, and a resource of each kind. */
  readonly articles: { readonly tableId: string; readonly recordId: string; readonly gallery: string; readonly kanban: string };
  readonly resources: Readonly<Record<ResourceKind, string>> & { readonly csv: string };
  readonly funnelId: string;
  readonly crawls: Crawled;
  /** Imports of websites, one to be decided and one that has run. */
  readonly imports: WebsiteImports;
  readonly contactId: string;
  readonly orderId: string;
  readonly readerId: string;
  /** A person who signs in with a second factor. */
  readonly secondFactor: { readonly loginName: string; readonly password: string };
  /** Addresses of links for people without an account. */
  readonly links: { readonly view: string; readonly form: string; readonly report: string; readonly reset: string; readonly invite: string };
};

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
type Site = { readonly siteId: string; readonly call: Call };

/** Longer than any column and card. */
const longName = '春分前后采摘的高山云雾绿茶礼盒装（含两罐特级明前龙井与手写品鉴卡片）';

async function addContent({
  siteId,
  call,
}: Site): Promise<Pick<WalkData, 'tableId' | 'recordId' | 'views'> & { readonly view: string; readonly form: string }> {
  const base = `/api/site/${siteId}/table/tables`;
  const table = await call<ContentTable>('POST', base, {
    title: '茶单',
    fields: [
      { type: 'text', title: '品名', key: 'name', required: true },
      {
        type: 'select',
        title: '种类',
        key: 'kind',
        options: {
          choices: [
            { id: 'g', title: '绿茶', color: 'green' },
            { id: 'b', title: '红茶', color: 'red' },
          ],
        },
      },
      { type: 'number', title: '售价', key: 'price' },
      { type: 'date', title: '上市', key: 'day' },
      { type: 'switch', title: '在售', key: 'sold' },
      { type: 'longText', title: '介绍', key: 'about' },
    ],
  });
  const { records } = await call<{ records: { id: string }[] }>('POST', `${base}/${table.id}/records`, {
    records: [
      { name: '明前龙井', kind: 'g', price: '680', day: '2026-03-28', sold: true, about: '西湖产区，手工炒制。' },
      { name: '洞庭碧螺春', kind: 'g', price: '520', day: '2026-04-02', sold: true },
      { name: '祁门红茶', kind: 'b', price: '260.5', day: '2026-05-11', sold: false },
      { name: longName, kind: 'g', price: '123456789012', day: '2026-11-20', sold: true },
      { name: 'שלום', price: '-3' },
    ],
  });
  const field = Object.fromEntries(table.fields.map(({ key, id }) => [key, id]));
  const addView = async (title: string, kind: string, query: object = {}): Promise<string> =>
    (await call<{ id: string }>('POST', `${base}/${table.id}/views`, { title, kind, query })).id;
  const publicLink = async (view: string, name: string): Promise<string> =>
    (await call<{ url: string }>('POST', `${base}/${table.id}/views/${view}/shares`, { name })).url;
  const grid = await addView('在售茶品', 'grid', { sort: [{ field: 'price', descending: true }] });
  const form = await addView('报名', 'form', { columns: ['name', 'kind', 'day'].map((key) => ({ field: field[key] })) });
  return {
    tableId: table.id,
    recordId: records[0]?.id ?? '',
    views: {
      kanban: await addView('看板', 'kanban', { stack: field['kind'] }),
      gallery: await addView('画廊', 'gallery'),
      calendar: await addView('日历', 'calendar', { date: field['day'] }),
    },
    view: await publicLink(grid, '给客户看'),
    form: await publicLink(form, '官网报名'),
  };
}

async function demoArticles({ siteId, call }: Site): Promise<WalkData['articles']> {
  const base = `/api/site/${siteId}/table/tables`;
  const table = (await call<ContentTable[]>('GET', base)).find(({ key }) => key === 'articles');
  const { rows } = await call<{ rows: { id: string }[] }>('GET', `${base}/articles/records?limit=1`);
  const views = await call<{ id: string; kind: string }[]>('GET', `${base}/articles/views`);
  const viewOf = (kind: string): string => views.find((view) => view.kind === kind)?.id ?? '';
  return { tableId: table?.id ?? '', recordId: rows[0]?.id ?? '', gallery: viewOf('gallery'), kanban: viewOf('kanban') };
}

/** Resources of the demo, one of which is moved to the bin. */
async function demoResources({ siteId, call }: Site): Promise<WalkData['resources']> {
  const base = `/api/site/${siteId}/resource`;
  const { rows } = await call<{ rows: Resource[] }>('GET', `${base}/items?size=200`);
  const named = (name: string): string => rows.find((row) => row.name === name)?.id ?? '';
  await call('POST', `${base}/remove`, { ids: [named('tag.svg'), named('wallpaper-forest.jpg')] });
  return {
    image: named('mountain-lake.jpg'),
    svg: named('logo.svg'),
    video: rows.find(({ kind }) => kind === 'video')?.id ?? '',
    attachment: named('brand-sheet.pdf'),
    csv: named('downloads-by-version.csv'),
  };
}

/** Menus, addresses and redirects of the demo, and two releases, the first of which is not live any more. */
async function addPublishing({ siteId, call }: Site, articles: WalkData['articles']): Promise<void> {
  const base = `/api/site/${siteId}/setting`;
  const put = (part: string, body: unknown) => call('PUT', `${base}/parts/${part}`, body, { 'if-match': '"0"' });
  const release = async (note: string): Promise<void> => {
    const { working } = await call<{ working: string }>('GET', `${base}/releases/preview`);
    await call('POST', `${base}/releases`, { working, note });
  };
  const tables = await call<ContentTable[]>('GET', `/api/site/${siteId}/table/tables`);
  const title = tables.find(({ id }) => id === articles.tableId)?.primaryField ?? '';
  const news = {
    kind: 'collection',
    collection: 'news',
    table: articles.tableId,
    fields: { title },
    listPath: '/news',
    recordPath: '/news/{slug}',
    slug: null,
  };
  await put('routes', [{ kind: 'template', path: '/', template: 'home' }, news, { kind: 'template', path: '/contact', template: 'contact' }]);
  await release('网站上线');
  const item = (id: string, label: string, target: object, items: object[] = []) => ({ id, label: { 'zh-Hans': label }, target, items });
  const lead = item('c', longName, { table: articles.tableId, record: articles.recordId });
  await put('menus', {
    main: [item('a', '首页', { path: '/' }), item('b', '新闻', { path: '/news' }, [lead]), item('d', '商店', { url: 'https://shop.example/tea' })],
    partners: [],
  });
  await release('');
  await put('redirects', [
    { from: '/old', to: '/blog' },
    { from: '/blog', to: '/news', status: 302 },
    { from: '/a', to: '/news', note: longName, expiresOn: '2024-12-31' },
    { from: '/sale-2024', to: '', status: 410 },
    { from: `/archive/${'tea-'.repeat(40)}*`, to: 'https://archive.example/:splat' },
  ]);
}

async function addInsights({ siteId, call }: Site): Promise<string> {
  const als = `/api/site/${siteId}/als`;
  const page = (path: string) => ({ kind: 'page', match: 'starts', path });
  await call('POST', `${als}/goals`, { name: '看过价格', condition: page('/pricing'), worth: { kind: 'fixed', amount: 20 } });
  const { id } = await call<{ id: string }>('POST', `${als}/funnels`, { name: '从首页到详情', steps: [page('/'), page('/p')], within: 1440, scope: 'visitor' });
  await call('POST', `${als}/segments`, { name: '搜索来的', filters: ['sourceType:is:search'], shared: true });
  await call('POST', `${als}/annotations`, { day: new Date().toISOString().slice(0, 10), time: null, text: '新版首页上线' });
  return id;
}

/** A theme of which one file differs from the shipped one, and had another content before. */
async function addTheme({ siteId, call }: Site): Promise<void> {
  const base = `/api/site/${siteId}/setting/theme`;
  const theme = await call<{ revision: number }>('GET', base);
  await call('POST', `${base}/install`, { name: 'company' }, { 'if-match': `"${String(theme.revision)}"` });
  const file = `${base}/file?path=assets/theme.css`;
  for (const color of ['teal', 'navy']) {
    const { revision, content } = await call<{ revision: number; content: string }>('GET', file);
    await call('PUT', file, { text: `${content}\n.note {\n  color: ${color};\n}\n` }, { 'if-match': `"${String(revision)}"` });
  }
}

async function addAccounts(call: Call, readerId: string): Promise<Pick<WalkData, 'contactId' | 'orderId'>> {
  const contact = await call<{ id: string }>('POST', '/api/acc/contacts', {
    name: '周明远',
    email: 'zhou@example.com',
    webhook: 'https://hooks.example/in',
    subscriptions: { billing: ['mail', 'webhook'] },
  });
  const items = [{ name: '套餐', quantity: '1', unitPrice: 50_000, discount: 100, taxRate: 600 }];
  const draft = { customerId: readerId, title: '年度套餐', items, note: '谢谢' };
  const order = await call<{ id: string; revision: number }>('POST', '/api/acc/trades/orders', draft);
  await call('POST', '/api/acc/trades/orders', draft);
  await call('POST', `/api/acc/trades/orders/${order.id}/state`, { to: 'pending' }, { 'if-match': `"${order.revision}"` });
  const payment = { method: 'bank', amount: 52_894, paidAt: '2026-11-01', reference: '1' };
  await call('POST', `/api/acc/trades/orders/${order.id}/payments`, payment);
  await call('POST', '/api/acc/tokens', { name: '每周报表', scopes: ['site:read'] });
  return { contactId: contact.id, orderId: order.id };
}

/** Filings of the site that is built here: one approved, one overdue. */
async function addFilings(call: Call, siteId: string): Promise<Pick<WalkData, 'filingId'>> {
  const domains = ['shanjian.test'];
  const body = { kind: 'icp', number: '闽ICP备12345678号-1', province: 'FJ', serviceName: '林间茶铺', domains, openedOn: '2026-03-02' };
  const { id, revision } = await call<{ id: string; revision: number }>('POST', `/api/site/${siteId}/beian`, body);
  await call('POST', `/api/site/${siteId}/beian/${id}/state`, { to: 'approved', on: '2026-03-01', note: '管局审核通过' }, { 'if-match': `"${revision}"` });
  await call('POST', `/api/site/${siteId}/beian`, { kind: 'mps', province: 'FJ', domains, openedOn: '2026-03-02' });
  return { filingId: id };
}

async function addBuiltSite(call: Call): Promise<Pick<WalkData, 'builtSiteId' | 'hostnameId'>> {
  const { id: builtSiteId } = await call<{ id: string }>('POST', '/api/core/sites', { name: '林间茶铺', slug: 'lin-tea', purpose: 'built' });
  const add = (host: string, withPair: boolean) => call<{ added: { id: string }[] }>('POST', `/api/site/${builtSiteId}/hostnames`, { host, withPair });
  const { added } = await add('www.shanjian.test', true);
  await add('茶铺.test', false);
  await add('аpple.test', false);
  await addCountryRule(call, builtSiteId);
  return { builtSiteId, hostnameId: added[1]?.id ?? '' };
}

/** A rule that was on trial before, with one network left open and a message in two languages. */
async function addCountryRule(call: Call, siteId: string): Promise<void> {
  const rule = {
    enabled: true,
    mode: 'deny_listed',
    countries: ['US', 'BR', 'IN'],
    action: 'block',
    page: '/abroad',
    message: { 'zh-Hans': '本店暂不向海外发货。', en: 'We do not ship abroad yet.' },
    openNetworks: [{ network: '203.0.113.0/24', note: '办公室' }],
    openPaths: ['/pay/'],
  };
  await call('PUT', `/api/site/${siteId}/setting/country_block`, { rule: { ...rule, action: 'log_only' }, note: '' }, { 'if-match': '"0"' });
  await call('PUT', `/api/site/${siteId}/setting/country_block`, { rule, note: '大促期间' }, { 'if-match': '"1"' });
}

/** Accepts an invitation for a new person; with `factor` they enable an authenticator app. Resolves with their id. */
async function join(program: ConsoleProgram, browser: Browser, call: Call, loginName: string, displayName: string, factor = false): Promise<string> {
  const { url } = await call<{ url: string }>('POST', '/api/acc/invites', { role: 'member', email: null });
  const theirs = await browser.newContext({ baseURL: program.origin });
  await program.ask(theirs, 'POST', '/api/acc/sign/invite', { token: url.split('#t=')[1], loginName, displayName, password: owner.password });
  const { userId } = await program.ask<{ userId: string }>(theirs, 'GET', '/api/acc/token/session');
  if (factor) {
    const { secret } = await program.ask<{ secret: string }>(theirs, 'POST', '/api/acc/totp/begin');
    await program.ask(theirs, 'POST', '/api/acc/totp/confirm', { code: codeFor(secret) });
  }
  await theirs.close();
  return userId;
}

/** Adds the data through the API, as the owner who is signed in to `context`. */
export async function addWalkData(program: ConsoleProgram, browser: Browser, context: BrowserContext): Promise<WalkData> {
  const call: Call = (method, path, body, headers) => program.ask(context, method, path, body, headers);
  const siteId = program.demo.id;
  const emptySite = await program.addSite(context, '云上茶舍与山脚咖啡联合开设的线上旗舰店及其全部分店的内容与访问分析站点');
  const { view, form, ...content } = await addContent({ siteId, call });
  const funnelId = await addInsights({ siteId, call });
  await addTheme({ siteId, call });
  const report = await call<{ url: string }>('POST', `/api/site/${siteId}/als/shares`, { name: '给老板看', screens: ['overview', 'path'] });
  const readerId = await join(program, browser, call, 'reader', '阅读者');
  await call('PATCH', '/api/acc/grants', { changes: [{ userId: readerId, siteId, role: 'editor' }] });
  await join(program, browser, call, 'careful', '安可', true);
  const reset = await call<{ url: string }>('POST', `/api/acc/users/${readerId}/link`, { kind: 'reset' });
  const invite = await call<{ url: string }>('POST', '/api/acc/invites', { role: 'finance', email: null, message: '欢迎' });
  const articles = await demoArticles({ siteId, call });
  await addPublishing({ siteId, call }, articles);
  const visits = await call<{ rows: { pages: { pageId: string }[] }[] }>('GET', `/api/site/${siteId}/als/latest`);
  const built = await addBuiltSite(call);
  const publishedSiteId = await addPublishedSite(call);
  const published = { siteId: publishedSiteId, host: 'mountain-notes.localhost', deliveryPort: program.deliveryPort };
  return {
    siteId,
    emptySiteId: emptySite.id,
    ...built,
    publishedSiteId,
    conversationId: await addSupport(call, context.request, published),
    ...(await addFilings(call, built.builtSiteId)),
    pageId: visits.rows.flatMap(({ pages }) => pages)[0]?.pageId ?? '',
    ...content,
    articles,
    resources: await demoResources({ siteId, call }),
    funnelId,
    imports: await addWebsiteImports(context, call, publishedSiteId),
    crawls: await addCrawls(call),
    ...(await addAccounts(call, readerId)),
    readerId,
    secondFactor: { loginName: 'careful', password: owner.password },
    links: { view, form, report: report.url, reset: reset.url, invite: invite.url },
  };
}
