import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import type { Release } from '../../contract/publishing/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { startCollector } from '../../server/collect';
import { openCountries } from '../../server/collect/classify';
import type { Config } from '../../server/config';
import { createDelivery } from '../../server/delivery';
import { installFile } from '../../server/areas/resources';
import { callsOf } from '../integration/tablesLifeSupport';
import type { Calls } from '../integration/tablesLifeSupport';
import { makeTestAppWithFolder } from './app';
import type { Person, TestApp, TestAppOptions } from './app';

type Response = Awaited<ReturnType<FastifyInstance['inject']>>;

/** A program with the listener that delivers sites, without a port. */
export type DeliveringProgram = TestApp & {
  readonly owner: Person;
  readonly delivery: FastifyInstance;
  /** Another process that delivers the same sites. The caller closes it. */
  readonly startDelivery: (config?: Partial<Config>) => Promise<FastifyInstance>;
  readonly visit: (host: string, url?: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD' | 'POST') => Promise<Response>;
};

export async function makeDeliveringProgram(options: TestAppOptions = {}): Promise<DeliveringProgram> {
  const program = await makeTestAppWithFolder(options);
  const owner = await program.signUpOwner();
  const collector = await startCollector(program.ctx);
  const startDelivery = async (config: Partial<Config> = {}): Promise<FastifyInstance> => {
    const ctx = { ...program.ctx, config: { ...program.ctx.config, ...config } };
    const started = await createDelivery({ ...ctx, countries: await openCountries(ctx) }, collector);
    await started.ready();
    return started;
  };
  const delivery = await startDelivery();
  return {
    ...program,
    owner,
    delivery,
    startDelivery,
    visit: (host, url = '/', headers = {}, method = 'GET') => delivery.inject({ method, url, headers: { host, ...headers } }),
    async close() {
      await delivery.close();
      await collector.close();
      await program.close();
    },
  };
}

/** A blog in two languages with the shipped theme: tables that the public reads, routes, menus, settings. Nothing is released. */
export type Blog = {
  readonly site: Site;
  readonly host: string;
  readonly calls: Calls;
  readonly posts: ContentTable;
  readonly topics: ContentTable;
  readonly topicIds: readonly string[];
  readonly visit: (url?: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD' | 'POST') => Promise<Response>;
  readonly setPart: (part: string, content: unknown) => Promise<void>;
  /** Publishes posts and the working copy as one release. */
  readonly release: (posts?: readonly string[]) => Promise<Release>;
  readonly addPosts: (...records: object[]) => Promise<string[]>;
  readonly addPicture: (name: string, options?: { readonly isPrivate?: boolean }) => Promise<string>;
};

/** The data of a response that succeeded. */
function dataOf(response: { readonly statusCode: number; readonly body: string }): unknown {
  if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${response.body}`);
  return (JSON.parse(response.body || '{}') as { data: unknown }).data;
}

async function openToPublic(calls: Calls, table: ContentTable): Promise<void> {
  const rules = [{ role: 'public', action: 'read', allowed: true }];
  const response = await calls.send('PUT', `tables/${table.id}/rules`, { rules }, table.revision);
  if (response.statusCode >= 300) throw new Error(response.body);
}

async function addTables(calls: Calls): Promise<{ posts: ContentTable; topics: ContentTable }> {
  const topics = await calls.table({
    title: '主题',
    key: 'topics',
    fields: [
      { type: 'text', title: '名称', key: 'name', required: true },
      { type: 'slug', title: '网址', key: 'slug', options: { from: 'name' } },
    ],
  });
  const posts = await calls.table({
    title: '文章',
    key: 'posts',
    drafts: true,
    locales: ['zh-Hans', 'en'],
    fields: [
      { type: 'text', title: '标题', key: 'title', required: true, localized: true },
      { type: 'slug', title: '网址', key: 'slug', options: { from: 'title' } },
      { type: 'longText', title: '摘要', key: 'summary', localized: true },
      { type: 'image', title: '封面', key: 'cover' },
      { type: 'richText', title: '正文', key: 'body', localized: true },
      { type: 'relations', title: '主题', key: 'topics', options: { to: topics.id } },
      { type: 'switch', title: '头条', key: 'featured' },
    ],
  } as never);
  for (const table of [posts, topics]) await openToPublic(calls, table);
  return { posts, topics };
}

export async function makeBlog(program: DeliveringProgram, slug: string): Promise<Blog> {
  const { owner } = program;
  const site = await program.makeSite(owner, { name: '山间茶铺', slug, defaultLang: 'zh-Hans' });
  const calls = callsOf(owner, site);
  const { posts, topics } = await addTables(calls);
  const base = `/api/site/${site.id}/setting`;
  const setPart = async (part: string, content: unknown): Promise<void> => {
    const parts = dataOf(await owner.get(`${base}/parts`)) as Record<string, { revision: number }>;
    const revision = parts[part]?.revision ?? 0;
    dataOf(await owner.send('PUT', `${base}/parts/${part}`, content as object, { 'if-match': `"${revision}"` }));
  };
  dataOf(await owner.send('POST', `${base}/theme/install`, { name: 'blog' }, { 'if-match': '"0"' }));
  await setPart('languages', { languages: ['zh-Hans', 'en'] });
  await setPart('settings', {
    title: { 'zh-Hans': '茶铺 <手记>', en: 'Tea notes' },
    tagline: { 'zh-Hans': '山里的茶', en: 'Tea from the hills' },
    theme: { accent: '#14532d' },
  });
  await setPart('routes', [
    {
      kind: 'collection',
      collection: 'posts',
      table: posts.id,
      fields: { title: 'title', summary: 'summary', cover: 'cover', body: 'body', topics: 'topics', featured: 'featured' },
      listPath: '/',
      recordPath: '/blog/{slug}',
      slug: 'slug',
      perPage: 2,
    },
    {
      kind: 'collection',
      collection: 'topics',
      table: topics.id,
      fields: { title: 'name' },
      listPath: null,
      recordPath: '/topics/{slug}',
      slug: 'slug',
      sort: 'name',
      feed: false,
    },
    { kind: 'template', path: '/archive', template: 'archive' },
  ]);
  await setPart('menus', { main: [{ id: 'a', label: { 'zh-Hans': '归档', en: 'Archive' }, target: { path: '/archive' }, items: [] }] });
  const topicIds = await calls.add(topics.id, [
    { name: '绿茶', slug: 'green' },
    { name: '红茶', slug: 'black' },
  ]);
  return {
    site,
    host: `${slug}.localhost`,
    calls,
    posts,
    topics,
    topicIds,
    setPart,
    visit: (url, headers, method) => program.visit(`${slug}.localhost`, url, headers, method),
    async release(ids = []) {
      const { working } = dataOf(await owner.get(`${base}/releases/preview`)) as { working: string };
      return dataOf(await owner.send('POST', `${base}/releases`, { working, records: ids.length === 0 ? [] : [{ table: posts.id, ids }] })) as Release;
    },
    addPosts: (...records) => calls.add(posts.id, records),
    async addPicture(name, { isPrivate = false } = {}) {
      const bytes = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#4d7c0f' } })
        .jpeg()
        .toBuffer();
      const id = await installFile(program.ctx, {
        siteId: site.id,
        createdBy: owner.userId,
        name,
        bytes,
        folderId: null,
        tags: [],
        alt: { 'zh-Hans': '茶山' },
      });
      if (isPrivate) dataOf(await owner.send('PATCH', `/api/site/${site.id}/resource/items/${id}`, { visibility: 'private' }, { 'if-match': '"1"' }));
      return id;
    },
  };
}
