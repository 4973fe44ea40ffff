import { request, type APIRequestContext, type APIResponse, type BrowserContext, type Page } from '@playwright/test';
import type { Hostname, Hostnames } from '../../contract/hostnames/schemas';
import { structuredProblems } from '../../contract/seo/structured';
import type { SiteParts } from '../../contract/publishing/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { RecordPage } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { hasNameServer, type NameServer } from '../support/nsd';
import { sitemapProblems } from '../support/pageChecks';
import { expect, speak, type Office } from './support/accounts';
import { test } from './support/hostnames';
import { comeAs } from './support/visitor';

/** Settings that act on a live site, changed in the console and met by its visitors: languages, filings, the country rule, renamed pages, robots.txt. */

const host = 'www.ganlu.test';
const origin = `http://${host}`;
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
/** Addresses as the trusted proxy forwards them. */
const addresses = { CN: '114.114.114.114', CN6: '240e::1', US: '73.162.10.20' } as const;
const filing = '京ICP备12345678号-1';
const page = { slug: 'a-walk', title: '一次散步的记录', english: 'Notes from a walk', renamed: 'walking-home' } as const;
const path = `/posts/${page.slug}`;

/** Serves a site on its own hostname, whose records lead here. */
async function connect(office: Office, context: BrowserContext, dns: NameServer, site: Site): Promise<void> {
  const at = `/api/site/${site.id}/hostnames`;
  await office.ask(context, 'POST', at, { host });
  const readHostname = async (): Promise<Hostname | undefined> => (await office.ask<Hostnames>(context, 'GET', at)).rows[0];
  const added = await readHostname();
  const proof = added?.records.find(({ type }) => type === 'TXT')?.expected[0] ?? '';
  await dns.serve(['www.ganlu IN A 127.0.0.1', `_sitecheck.www.ganlu IN TXT "${proof}"`]);
  await office.ask(context, 'POST', `${at}/${added?.id ?? ''}/check`);
  await expect.poll(async () => (await readHostname())?.served).toBe(true);
}

/** Lets articles have their titles in two languages. Returns the table and the id of the page that is translated and renamed. */
async function localizeTitles(office: Office, context: BrowserContext, at: string): Promise<{ readonly table: string; readonly record: string }> {
  const readPosts = async (): Promise<ContentTable | undefined> =>
    (await office.ask<ContentTable[]>(context, 'GET', `${at}/tables`)).find(({ key }) => key === 'posts');
  const change = async (rest: (table: ContentTable) => string, body: object): Promise<void> => {
    const table = await readPosts();
    if (table) await office.ask(context, 'PATCH', `${at}/tables/${table.id}${rest(table)}`, body, { 'if-match': `"${table.revision}"` });
  };
  await change(() => '', { locales: ['zh-Hans', 'en'] });
  await change(({ fields }) => `/fields/${fields.find(({ key }) => key === 'title')?.id ?? ''}`, { localized: true });
  const table = (await readPosts())?.id ?? '';
  const { rows } = await office.ask<RecordPage>(context, 'GET', `${at}/tables/${table}/records`);
  return { table, record: rows.find(({ values }) => values.slug === page.slug)?.id ?? '' };
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

test.describe.serial('settings of a live site', () => {
  test.skip(!hasNameServer('settings of a live site'), 'NSD is not installed');
  let context: BrowserContext;
  let desk: Page;
  let visitors: APIRequestContext;
  let site: Site;
  let posts: { readonly table: string; readonly record: string };
  let releases = 0;

  test.beforeAll(async ({ browser, office, dns }) => {
    context = await browser.newContext({ baseURL: office.origin, locale: 'en-US', timezoneId: 'Asia/Shanghai' });
    await office.signIn(context);
    await speak(office, context, 'en');
    desk = await context.newPage();
    visitors = await request.newContext({ baseURL: `http://localhost:${office.deliveryPort}`, extraHTTPHeaders: { host } });
    const input = { name: '甘露手记', slug: 'ganlu', purpose: 'built', starter: 'blog', defaultLang: 'zh-Hans' };
    site = await office.ask<Site>(context, 'POST', '/api/core/sites', input);
    const readRoutes = async () => (await office.ask<SiteParts>(context, 'GET', `/api/site/${site.id}/setting/parts`)).routes.content;
    await expect.poll(async () => (await readRoutes()).length).toBeGreaterThan(0);
    posts = await localizeTitles(office, context, `/api/site/${site.id}/table`);
    await connect(office, context, dns, site);
  });
  test.afterEach(async ({ office }, info) => {
    if (info.status !== info.expectedStatus) await info.attach('what the program said', { body: office.said() });
  });
  test.afterAll(async () => {
    await visitors.dispose();
    await context.close();
  });

  const open = (rest: string) => desk.goto(`/site/${site.id}/${rest}`);
  const visit = (url: string, from: string = addresses.US): Promise<APIResponse> =>
    visitors.get(url, { headers: { 'x-forwarded-for': from }, maxRedirects: 0 });
  const read = async (url: string): Promise<string> => (await visit(url)).text();
  const status = async (url: string, from: string): Promise<number> => (await visit(url, from)).status();
  async function publish(): Promise<void> {
    releases += 1;
    await open('setting/base/releases');
    await desk.getByRole('form', { name: 'Unpublished changes' }).getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(desk.getByText(`Release ${releases} is live`)).toBeVisible();
  }

  test('a second language is added and an article translated', async () => {
    await open('setting/base');
    await desk.getByRole('button', { name: 'Edit languages' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Languages' });
    await dialog.getByRole('combobox', { name: 'Add a language' }).selectOption('English');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(desk.getByRole('list', { name: 'Languages of the site' })).toContainText('Addresses begin with /en');
    await open(`intl?tab=translate&tag=en&what=record:${posts.table}&id=${posts.record}`);
    await desk.getByRole('textbox', { name: 'English' }).fill(page.english);
    const saved = desk.waitForResponse((response) => response.url().endsWith('/intl/texts') && response.request().method() === 'PUT');
    await desk.getByRole('button', { name: 'Save as reviewed' }).click();
    expect((await saved).ok()).toBe(true);
    await publish();
    await expect.poll(() => status(`/en${path}`, addresses.US)).toBe(200);
  });

  test('pages name themselves and the other language', async () => {
    const alternates = (html: string) => matches(html, /<link rel="alternate" (hreflang="[^"]+" href="[^"]+")/g);
    const named = (rest: string) => [
      `hreflang="zh-Hans" href="${origin}${rest}"`,
      `hreflang="en" href="${origin}/en${rest === '/' ? '' : rest}"`,
      `hreflang="x-default" href="${origin}${rest}"`,
    ];
    for (const url of ['/', '/en']) expect(alternates(await read(url))).toEqual(named('/'));
    for (const url of [path, `/en${path}`]) expect(alternates(await read(url))).toEqual(named(path));
    expect(await read(`/en${path}`)).toContain(page.english);
  });

  test('sitemaps name the pages of both languages', async () => {
    const locations = (xml: string) => matches(xml, /<loc>([^<]+)<\/loc>/g);
    const local = (url: string) => url.replace(origin, '');
    const index = await read('/sitemap.xml');
    const files = await Promise.all(locations(index).map((url) => read(local(url))));
    expect([index, ...files].flatMap(sitemapProblems)).toEqual([]);
    expect(files.flatMap(locations).map(local)).toEqual(expect.arrayContaining(['/', '/en', path, `/en${path}`]));
    expect(await read('/robots.txt')).toContain(`Sitemap: ${origin}/sitemap.xml`);
  });

  test('structured data is complete', async () => {
    for (const [url, types] of [
      ['/', ['WebSite']],
      [path, ['Article', 'BreadcrumbList']],
      [`/en${path}`, ['Article', 'BreadcrumbList']],
    ] as const) {
      const found = matches(await read(url), /<script type="application\/ld\+json">(.*?)<\/script>/gs).map((json) => JSON.parse(json) as { '@type': string });
      expect(found.map((one) => one['@type'])).toEqual(expect.arrayContaining([...types]));
      expect(found.flatMap((one) => structuredProblems(one)).filter(({ isRequired }) => isRequired)).toEqual([]);
    }
  });

  test('a pasted filing number appears at the foot of pages', async () => {
    await open('beian?paste=1');
    const dialog = desk.getByRole('dialog', { name: 'Find numbers' });
    await dialog.getByRole('textbox', { name: 'Text or HTML' }).fill('<footer>© 甘露 <a href="#">京 ICP 備１２３４５６７８号－１</a></footer>');
    await dialog.getByRole('button', { name: 'Find', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add 1 filing' }).click();
    await expect(dialog).toBeHidden();
    const footer = `<a href="https://beian.miit.gov.cn/" target="_blank" rel="noreferrer">${filing}</a>`;
    await expect.poll(() => read('/')).toContain(footer);
    for (const url of [`/en${path}`, '/nowhere']) expect(await read(url)).toContain(footer);
  });

  test('people of two countries read the article', async ({ office }) => {
    await Promise.all(
      [addresses.CN, addresses.US].map(async (address) => {
        const visitor = await comeAs({ agent, address }, origin, office.deliveryPort);
        await visitor.page.goto(origin + path);
        await expect(visitor.page.getByRole('heading', { level: 1, name: page.title })).toBeVisible();
        await visitor.leave();
      }),
    );
    await expect.poll(async () => (await office.ask<{ rows: object[] }>(context, 'GET', `/api/site/${site.id}/als/latest?range=today`)).rows.length).toBe(2);
  });

  test('a country rule is tried on the log', async () => {
    await open('setting/country_block');
    await desk.getByLabel('The rule is on').check();
    await desk.getByRole('searchbox', { name: 'Search countries and regions' }).fill('CN');
    await desk.getByRole('checkbox', { name: /\bCN$/ }).check();
    await desk.getByRole('radio', { name: 'Log only' }).check();
    await desk.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(desk.getByText('The rule is saved and in effect')).toBeVisible();
    const logged = desk.getByRole('table', { name: 'Log' }).getByRole('row').filter({ hasText: 'Logged only' });
    await expect(async () => {
      expect(await status(path, addresses.CN)).toBe(200);
      await open('setting/country_block?part=log');
      await expect(logged.first()).toContainText('114.114.114.0/24', { timeout: 1000 });
    }).toPass();
  });

  test('the preview counts the visits that the rule concerns', async () => {
    await open('setting/country_block');
    await desk.getByRole('radio', { name: 'Refuse', exact: true }).check();
    await expect(desk.getByText('The rule would have concerned 1 of 2 visits (50.0%). Conversions among them: 0.')).toBeVisible();
    const rows = desk.getByRole('table', { name: 'What the rule would have done' }).getByRole('row');
    await expect(rows.filter({ hasText: 'China' })).toContainText('Concerned');
    await expect(rows.filter({ hasText: 'United States' })).not.toContainText('Concerned');
    await desk.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(desk.getByText('The rule is saved and in effect')).toBeVisible();
  });

  test('addresses of the country are refused behind the trusted proxy', async () => {
    await expect.poll(() => status('/', addresses.CN)).toBe(403);
    const refused = [addresses.CN6, `::ffff:${addresses.CN}`, `${addresses.US}, ${addresses.CN}`];
    for (const address of refused) expect([address, await status(path, address)]).toEqual([address, 403]);
    for (const address of [addresses.US, `${addresses.CN}, ${addresses.US}`]) expect([address, await status(path, address)]).toEqual([address, 200]);
    expect(await status('/robots.txt', addresses.CN)).toBe(200);
  });

  test('a renamed page leaves a redirect in every language', async ({ office }) => {
    const changes = [{ id: posts.record, values: { slug: page.renamed } }];
    await office.ask(context, 'PATCH', `/api/site/${site.id}/table/tables/${posts.table}/records`, { changes });
    await publish();
    await expect.poll(() => status(path, addresses.US)).toBe(301);
    for (const prefix of ['', '/en']) {
      expect((await visit(`${prefix}${path}?from=feed`)).headers()['location']).toBe(`${prefix}/posts/${page.renamed}?from=feed`);
      expect(await status(`${prefix}/posts/${page.renamed}`, addresses.US)).toBe(200);
    }
  });

  test('robots.txt is saved only after naming the pages that vanish', async () => {
    await open('seo?tab=robots');
    await desk.getByRole('textbox', { name: 'robots.txt' }).fill('User-agent: *\nDisallow: /posts/');
    await desk.getByRole('button', { name: 'Compare with known addresses' }).click();
    const closed = desk.getByRole('table', { name: 'What this change does' }).getByRole('row').filter({ hasText: page.title });
    // Its former address has the visits, its present one none yet.
    await expect(closed.filter({ hasText: path })).toContainText(/Closed\s*2/);
    await expect(closed.filter({ hasText: page.renamed })).toContainText(/Closed\s*0/);
    await desk.getByRole('button', { name: 'Save and apply now' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Close pages that people visit?' });
    await expect(dialog.getByRole('listitem').first()).toContainText(path);
    expect(await read('/robots.txt')).not.toContain('/posts/');
    await dialog.getByRole('button', { name: 'Close them now' }).click();
    await expect(desk.getByText('robots.txt is in effect')).toBeVisible();
    await expect.poll(() => read('/robots.txt')).toContain('Disallow: /posts/');
  });
});
