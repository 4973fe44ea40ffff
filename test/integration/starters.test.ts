import { jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { TranslationOverview } from '../../contract/languages/translations';
import type { SiteParts } from '../../contract/publishing/schemas';
import type { Site, SiteInput } from '../../contract/sites/schemas';
import { starters } from '../../contract/sites/starters';
import type { ContentTable } from '../../contract/tables/schemas';
import { jobHandlers } from '../../server/areas';
import { systemActor } from '../../server/areas/audit';
import { liveSite } from '../../server/areas/publishing';
import { findSite } from '../../server/areas/sites';
import { installStarter } from '../../server/areas/starters/install';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { dataOf, makeTestAppWithFolder } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { fakeJob } from '../support/fakeJob';
import { atomProblems, htmlProblems, sitemapProblems } from '../support/pageChecks';
import { until } from '../support/until';

jest.setTimeout(120_000);
let t: TestApp;
let owner: Person;
let worker: Worker;
let collector: Collector;
let delivery: FastifyInstance;
beforeAll(async () => {
  t = await makeTestAppWithFolder();
  owner = await t.signUpOwner();
  collector = await startCollector(t.ctx);
  delivery = await createDelivery(t.ctx, collector);
  await delivery.ready();
  worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 20 });
});
afterAll(async () => {
  await worker.close();
  await delivery.close();
  await collector.close();
  await t.close();
});

/** A new site whose starter is complete. */
async function make(input: Partial<SiteInput>): Promise<Site> {
  const site = await t.makeSite(owner, { name: '云栖茶馆', purpose: 'built', ...input });
  await until(async () => {
    const { rows } = await t.ctx.postgres.pool.query<{ kind: string; state: string; error: unknown }>(
      'SELECT kind, state, error FROM jobs WHERE site_id = $1',
      [site.id],
    );
    if (rows.some(({ state }) => state === 'failed')) throw new Error(JSON.stringify(rows));
    return rows.length > 0 && rows.every(({ state }) => state === 'done');
  }, 60_000);
  return site;
}
const partsOf = async (site: Site) => dataOf<SiteParts>(await owner.get(`/api/site/${site.id}/setting/parts`));
const tablesOf = async (site: Site) => dataOf<ContentTable[]>(await owner.get(`/api/site/${site.id}/table/tables`));
const visit = (site: Site, url: string) => delivery.inject({ method: 'GET', url, headers: { host: `${site.slug}.localhost:3001` } });
const addressesIn = async (site: Site, map: string): Promise<string[]> =>
  [...(await visit(site, map)).body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
async function release(site: Site): Promise<void> {
  const at = `/api/site/${site.id}/setting/releases`;
  const { working } = dataOf<{ working: string }>(await owner.get(`${at}/preview`));
  const response = await owner.send('POST', at, { working });
  if (response.statusCode >= 300) throw new Error(response.body);
}

test.each(starters.filter((one) => one !== 'blank'))('the starter %s fits its theme, in both languages', async (starter) => {
  for (const defaultLang of ['zh-Hans', 'en']) {
    const site = await make({ starter, defaultLang });
    const [{ settings, routes, menus }, tables] = [await partsOf(site), await tablesOf(site)];
    expect(settings.content).toMatchObject({ title: { [defaultLang]: '云栖茶馆' } });
    const collections = routes.content.filter((route) => route.kind === 'collection');
    expect(collections.map(({ table }) => table).toSorted()).toEqual(tables.map(({ id }) => id).toSorted());
    for (const { table, fields } of collections) {
      const own = tables.find(({ id }) => id === table);
      expect(Object.values(fields).filter((id) => !own?.fields.some((field) => field.id === id))).toEqual([]);
      expect(Object.keys(fields)).toContain('title');
    }
    // Menus lead to pages that exist.
    const paths = routes.content.flatMap((route) => (route.kind === 'template' ? [route.path] : [route.listPath, route.recordPath]));
    const targets = Object.values(menus.content).flatMap((items) => items.flatMap(({ target }) => ('path' in target ? [target.path] : [])));
    expect(targets.length).toBeGreaterThan(1);
    for (const target of targets) expect(paths.some((path) => path === target || path === '/{slug}')).toBe(true);
    // Everybody may read what it published.
    for (const { key } of tables) {
      const { rows } = dataOf<{ rows: { values: Record<string, unknown> }[] }>(await t.browser().get(`/api/site/${site.id}/content/${key}`));
      expect([key, rows.length > 0]).toEqual([key, true]);
      if (defaultLang === 'en') expect(JSON.stringify(rows).replaceAll('云栖茶馆', '')).not.toMatch(/\p{Script=Han}/u);
    }
    const { problems } = dataOf<{ problems: unknown[] }>(await owner.get(`/api/site/${site.id}/setting/theme/check`));
    expect(problems).toEqual([]);
    await release(site);
    await until(async () => (await visit(site, '/')).headers['x-robots-tag'] === undefined);
    // Every page of the sitemap is delivered, and so is everything that it shows.
    const maps = await addressesIn(site, '/sitemap.xml');
    const pages = (await Promise.all(maps.map((map) => addressesIn(site, map)))).flat();
    for (const map of ['/sitemap.xml', ...maps]) expect([map, sitemapProblems((await visit(site, map)).body)]).toEqual([map, []]);
    expect(pages).toContain('/');
    expect(pages.length).toBeGreaterThan(4);
    const used = new Set<string>();
    for (const path of pages) {
      const page = await visit(site, path);
      expect([path, page.statusCode, await htmlProblems(page.body)]).toEqual([path, 200, []]);
      expect(page.body).toContain('云栖茶馆');
      for (const [, address = ''] of page.body.matchAll(/(?:src|href)="(\/(?:_r|_t)\/[^"]+)"/g)) used.add(address);
    }
    const feed = /type="application\/atom\+xml" [^>]*href="([^"]+)"/.exec((await visit(site, '/')).body)?.[1];
    expect(feed === undefined ? [] : atomProblems((await visit(site, feed)).body)).toEqual([]);
    expect([...used].some((address) => address.startsWith('/_r/'))).toBe(true);
    for (const address of used) expect([address, (await visit(site, address)).statusCode]).toEqual([address, 200]);
  }
});

test('a starter in a second language has texts to translate at once', async () => {
  const site = await make({ starter: 'blog', defaultLang: 'zh-Hans' });
  const { languages } = await partsOf(site);
  const content = {
    ...languages.content,
    languages: [
      { tag: 'zh-Hans', path: 'zh' },
      { tag: 'en', path: 'en' },
    ],
  };
  const changed = await owner.send('PUT', `/api/site/${site.id}/setting/parts/languages`, content, { 'if-match': `"${languages.revision}"` });
  expect(changed.statusCode).toBe(200);
  const tables = await tablesOf(site);
  expect(tables.map(({ locales }) => locales)).toEqual(tables.map(() => ['zh-Hans', 'en']));
  const { groups } = dataOf<TranslationOverview>(await owner.get(`/api/site/${site.id}/intl/overview`));
  expect(groups.filter(({ entity }) => entity === 'record').length).toBe(tables.length);
});

test('a starter killed after creating a table completes it when it runs again', async () => {
  const { id } = await t.makeSite(owner, { name: '云栖茶馆', purpose: 'built', defaultLang: 'en' });
  const site = await findSite(t.ctx, id);
  if (!site) throw new Error('no site');
  const by = { site, userId: owner.userId, locale: 'en', actor: systemActor } as const;
  const killed = new Set<string>();
  let saved: unknown = null;
  /** Dies once for each table, before the step that created it is saved. */
  const save = (state: unknown): Promise<void> => {
    const created = Object.keys((state as { tables: object }).tables).join();
    if (created !== '' && !killed.has(created)) {
      killed.add(created);
      return Promise.reject(new Error('killed'));
    }
    saved = state;
    return Promise.resolve();
  };
  const attempt = async (): Promise<boolean> => {
    try {
      await installStarter(t.ctx, fakeJob({ kind: 'site.starter', siteId: id, input: null, saved, save }), by, 'blog');
      return true;
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
      return false;
    }
  };
  let attempts = 1;
  while (!(await attempt())) attempts += 1;
  const contentsOf = async (one: Pick<Site, 'id'>) =>
    Promise.all(
      dataOf<ContentTable[]>(await owner.get(`/api/site/${one.id}/table/tables`)).map(async ({ key }) => {
        const { rows } = dataOf<{ rows: unknown[] }>(await t.browser().get(`/api/site/${one.id}/content/${key}`));
        return [key, rows.length];
      }),
    );
  expect(await contentsOf(site)).toEqual(await contentsOf(await make({ starter: 'blog', defaultLang: 'en' })));
  expect(attempts).toBe((await contentsOf(site)).length + 1);
});

test('a new article of a starter has the date of today', async () => {
  const site = await make({ starter: 'blog', defaultLang: 'en', timeZone: 'Asia/Shanghai' });
  const posts = (await tablesOf(site)).find(({ key }) => key === 'posts');
  const base = `/api/site/${site.id}/table/tables/${posts?.id}/records`;
  const { records } = dataOf<{ records: { id: string }[] }>(await owner.send('POST', base, { records: [{ title: 'New' }] }));
  const { values } = dataOf<{ values: Record<string, unknown> }>(await owner.get(`${base}/${records[0]?.id}`));
  expect(values['date']).toBe(new Date(t.ctx.now()).toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' }));
});

test('a blank site has a home page and the smallest theme', async () => {
  const site = await make({ starter: 'blank', defaultLang: 'en' });
  const { routes } = await partsOf(site);
  expect(routes.content).toEqual([{ kind: 'template', path: '/', template: 'home', title: { en: 'Home' } }]);
  expect(await tablesOf(site)).toEqual([]);
  const { problems } = dataOf<{ problems: unknown[] }>(await owner.get(`/api/site/${site.id}/setting/theme/check`));
  expect(problems).toEqual([]);
  await release(site);
  await until(async () => (await visit(site, '/')).body.includes('<h1>云栖茶馆</h1>'));
  const missing = await visit(site, '/nothing');
  expect([missing.statusCode, missing.body.includes('<h1>Page not found</h1>')]).toEqual([404, true]);
  expect([await htmlProblems((await visit(site, '/')).body), await htmlProblems(missing.body)]).toEqual([[], []]);
});

describe('copying another site', () => {
  test('takes tables with their records, pictures, the theme and the parts', async () => {
    const source = await make({ starter: 'company', defaultLang: 'zh-Hans' });
    const copy = await make({ name: 'Copy', copyFrom: source.id, defaultLang: 'en' });
    const { settings, routes, menus } = await partsOf(copy);
    expect(settings.content).toMatchObject({ title: { 'zh-Hans': '云栖茶馆', en: 'Copy' }, theme: { primary_link: '/services' } });
    const [own, others] = [await partsOf(source), await tablesOf(source)];
    expect(settings.content.theme['hero_image']).not.toBe(own.settings.content.theme['hero_image']);
    expect(routes.content.map(({ kind }) => kind)).toEqual(own.routes.content.map(({ kind }) => kind));
    expect(menus.content['main']).toHaveLength(4);
    const tables = await tablesOf(copy);
    const described = (all: readonly ContentTable[]) => all.map(({ key, fields }) => [key, fields.map((field) => field.key)]);
    expect(described(tables)).toEqual(described(others));
    for (const { key } of tables) {
      const titles = async (one: Site) =>
        dataOf<{ rows: { values: Record<string, unknown> }[] }>(await t.browser().get(`/api/site/${one.id}/content/${key}`)).rows.map(
          ({ values }) => values['title'],
        );
      expect([key, await titles(copy)]).toEqual([key, await titles(source)]);
    }
    await release(copy);
    const home = await visit(copy, '/');
    const pictures = [...home.body.matchAll(/src="(\/_r\/[^"]+)"/g)].map(([, address = '']) => address);
    expect(pictures.length).toBeGreaterThan(0);
    for (const address of pictures) expect([address, (await visit(copy, address)).statusCode]).toEqual([address, 200]);
    for (const path of await addressesIn(copy, (await addressesIn(copy, '/sitemap.xml'))[0] ?? ''))
      expect([path, (await visit(copy, path)).statusCode]).toEqual([path, 200]);
    const parts = (await liveSite(t.ctx, copy.id))?.parts;
    await release(source);
    expect(parts?.theme).toEqual((await liveSite(t.ctx, source.id))?.parts.theme);
  });

  test('takes search settings and languages, no filings and no country rule', async () => {
    const source = await make({ starter: 'blank', defaultLang: 'zh-Hans' });
    const base = `/api/site/${source.id}`;
    const before = await partsOf(source);
    const setPart = async (part: 'seo' | 'languages', content: object) => {
      const response = await owner.send('PUT', `${base}/setting/parts/${part}`, content, { 'if-match': `"${String(before[part].revision)}"` });
      expect([part, response.statusCode]).toEqual([part, 200]);
    };
    const { seo, languages } = before;
    const overrides = [{ path: '/', title: { 'zh-Hans': '首页' } }];
    await setPart('seo', { ...seo.content, social: { ...seo.content.social, twitter: 'tea' }, overrides });
    await setPart('languages', { ...languages.content, suggestion: 'banner', noindexMachine: false });
    const rule = { enabled: true, mode: 'deny_listed', countries: ['US'], action: 'block' };
    expect((await owner.send('PUT', `${base}/setting/country_block`, { rule }, { 'if-match': '"0"' })).statusCode).toBe(200);
    const filing = { kind: 'icp', province: 'BJ', serviceName: '茶馆', domains: [], number: '京ICP备12345678号-1' };
    expect((await owner.send('POST', `${base}/beian`, filing)).statusCode).toBe(200);
    const copy = await make({ name: 'Copy', copyFrom: source.id, defaultLang: 'en' });
    const parts = await partsOf(copy);
    expect(parts.seo.content).toMatchObject({ social: { twitter: 'tea' }, overrides: [] });
    expect(parts.languages.content).toMatchObject({ languages: [{ tag: 'en' }, { tag: 'zh-Hans' }], suggestion: 'banner', noindexMachine: false });
    expect(dataOf<object>(await owner.get(`/api/site/${copy.id}/setting/country_block`))).toMatchObject({ version: 0, rule: { enabled: false } });
    expect(dataOf<{ rows: object[] }>(await owner.get(`/api/site/${copy.id}/beian`)).rows).toEqual([]);
  });

  test('needs access to that site', async () => {
    const gone = await t.makeSite(owner, { name: 'Gone' });
    await owner.send('DELETE', `/api/core/sites/${gone.id}`, { confirm: 'Gone' });
    const attempt = (copyFrom: string, who: Browser = owner) => who.send('POST', '/api/core/sites', { name: 'x', purpose: 'built', copyFrom });
    expect((await attempt(gone.id)).statusCode).toBe(404);
    expect((await attempt('aaaaaaaaaaaa')).statusCode).toBe(404);
    expect((await owner.get('/api/core/load/rpm')).json<{ data: { sites: Site[] } }>().data.sites.some(({ name }) => name === 'x')).toBe(false);
  });
});
