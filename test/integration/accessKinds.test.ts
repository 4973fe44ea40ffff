import { z } from 'zod';
import { calls } from '../../contract/call';
import { endpoint } from '../../contract/endpoint';
import { areas } from '../../server/areas';
import type { Area } from '../../server/areas/area';
import { createApp } from '../../server/http/app';
import { route } from '../../server/http/route';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';

/** An invented area: crawls that belong to sites, and a counter that visitors call. */
const testCalls = calls({
  crawl: 'GET /api/test/crawls/:crawlId',
  dropCrawl: 'DELETE /api/test/crawls/:crawlId',
  visit: 'GET /api/test/visitors/:siteId/greeting',
  leave: 'POST /api/test/visitors/:siteId/greeting',
});
const crawlParams = z.object({ crawlId: z.uuid() });
const visitorParams = z.object({ siteId: z.string() });
const visitors = { visitors: { perSitePerMinute: 4 } } as const;
const endpoints = {
  crawl: endpoint(testCalls.crawl, {
    access: { resource: 'crawl', action: 'site.read' },
    token: 'site:read',
    summary: 'A crawl',
    params: crawlParams,
    response: z.object({ site: z.string() }),
  }),
  dropCrawl: endpoint(testCalls.dropCrawl, { access: { resource: 'crawl', action: 'site.rename' }, summary: 'Drop a crawl', params: crawlParams }),
  visit: endpoint(testCalls.visit, {
    access: visitors,
    summary: 'Greet',
    params: visitorParams,
    response: z.object({ name: z.string(), known: z.boolean() }),
    ratePerMinute: 6,
  }),
  leave: endpoint(testCalls.leave, { access: visitors, summary: 'Leave', params: visitorParams, body: z.object({ text: z.string().max(9) }) }),
};
const crawlSites = new Map<string, string>();
const testArea: Area = {
  siteOf: { crawl: async (_ctx, id) => crawlSites.get(id) ?? null },
  register(app, ctx) {
    route(app, ctx, endpoints.crawl, ({ site }) => ({ site: site.id }));
    route(app, ctx, endpoints.dropCrawl, () => null);
    route(app, ctx, endpoints.visit, ({ site, session, request }) => ({ name: site.name, known: session !== null || request.session !== null }));
    route(app, ctx, endpoints.leave, () => null);
  },
};
const crawlId = '7e9a0dd4-0f5b-4b53-a3a2-0a3b1f1d6f01';
const unknownId = '7e9a0dd4-0f5b-4b53-a3a2-0a3b1f1d6f02';

let t: TestApp;
let owner: Person;
let siteId: string;
let base: string;
beforeEach(async () => {
  t = await makeTestApp({ areas: [...areas, testArea] });
  owner = await t.signUpOwner();
  siteId = (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example' })).id;
  crawlSites.set(crawlId, siteId);
  base = await t.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => t.close());

const statusOf = async (who: { get: Person['get'] }, id: string) => (await who.get(`/api/test/crawls/${id}`)).statusCode;
const greet = (headers: Record<string, string> = {}, init: RequestInit = {}) => fetch(`${base}/api/test/visitors/${siteId}/greeting`, { ...init, headers });
const fromSite = { origin: 'https://tea.example' };

describe('a resource whose path names no site', () => {
  test('opens to people with the permission on its site', async () => {
    const viewer = await t.makePerson('member');
    await t.grant(siteId, viewer.userId, 'viewer');
    expect((await viewer.get(`/api/test/crawls/${crawlId}`)).json()).toEqual({ data: { site: siteId } });
    expect((await viewer.send('DELETE', `/api/test/crawls/${crawlId}`)).statusCode).toBe(403);
    expect((await owner.send('DELETE', `/api/test/crawls/${crawlId}`)).statusCode).toBe(204);
  });

  test('answers strangers as if it did not exist', async () => {
    const stranger = await t.makePerson('member');
    const [foreign, unknown] = [await stranger.get(`/api/test/crawls/${crawlId}`), await stranger.get(`/api/test/crawls/${unknownId}`)];
    expect([foreign.statusCode, unknown.statusCode, await statusOf(stranger, 'no-id'), await statusOf(t.browser(), crawlId)]).toEqual([404, 404, 404, 401]);
    expect(foreign.json<{ code: string }>().code).toBe(unknown.json<{ code: string }>().code);
  });

  test('is closed while its site lies in the bin', async () => {
    await owner.send('DELETE', `/api/core/sites/${siteId}`, { confirm: 'Tea house' });
    expect(await statusOf(owner, crawlId)).toBe(404);
  });

  test('is closed to tokens for other sites', async () => {
    const other = (await t.makeSite(owner)).id;
    const tokenFor = async (ids: readonly string[]) =>
      (await owner.send('POST', '/api/acc/tokens', { name: 'x', scopes: ['site:read'], siteIds: ids, addresses: [], days: 30 })).json<{
        data: { value: string };
      }>().data.value;
    const read = async (value: string) =>
      (await t.app.inject({ url: `/api/test/crawls/${crawlId}`, headers: { authorization: `Bearer ${value}` } })).statusCode;
    expect([await read(await tokenFor([siteId])), await read(await tokenFor([other]))]).toEqual([200, 404]);
  });

  test('prevents the start when no manifest assigns it to a site', async () => {
    const orphan: Area = { register: testArea.register };
    await expect(createApp(t.ctx, { areas: [orphan] })).rejects.toThrow('a manifest must say');
  });
});

describe('calls of visitors', () => {
  test('are open to pages of the site, which may read the response', async () => {
    const response = await greet(fromSite);
    expect(await response.json()).toEqual({ data: { name: 'Tea house', known: false } });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://tea.example');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('vary')).toContain('origin');
    expect((await greet({ origin: 'https://www.tea.example' })).status).toBe(200);
    expect((await greet()).status).toBe(200);
  });

  test('are refused to pages of other origins', async () => {
    for (const origin of ['https://evil.example', 'https://tea.example.evil.example', 'null', 'file://tea.example']) {
      const response = await greet({ origin });
      expect([origin, response.status, response.headers.get('access-control-allow-origin')]).toEqual([origin, 403, null]);
    }
  });

  test('ignore sessions and tokens and set no cookie', async () => {
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await greet({ ...fromSite, cookie, authorization: 'Bearer swt_x' });
    expect(await response.json()).toEqual({ data: { name: 'Tea house', known: false } });
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('write from the site without the console’s header', async () => {
    const post = (body: object, headers: object) =>
      greet({ 'content-type': 'application/json', 'sec-fetch-site': 'cross-site', ...headers }, { method: 'POST', body: JSON.stringify(body) });
    expect((await post({ text: 'hello' }, fromSite)).status).toBe(204);
    expect((await post({ text: 'hello' }, { origin: 'https://evil.example' })).status).toBe(403);
    const refused = await post({ text: 'far too long' }, fromSite);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([422, 'https://tea.example']);
  });

  test('answer the preflight request for all methods of the path', async () => {
    const preflight = (origin: string) => greet({ origin, 'access-control-request-method': 'POST' }, { method: 'OPTIONS' });
    const response = await preflight('https://tea.example');
    expect([response.status, response.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, POST']);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://tea.example');
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('answer 404 for sites that are unknown or not active', async () => {
    const of = async (id: string) => (await fetch(`${base}/api/test/visitors/${id}/greeting`)).status;
    expect([await of('aaaaaaaaaaaa'), await of('no-site')]).toEqual([404, 404]);
    await owner.send('DELETE', `/api/core/sites/${siteId}`, { confirm: 'Tea house' });
    await until(async () => (await of(siteId)) === 404);
  });

  test('are limited for all visitors of one site together', async () => {
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await greet(fromSite)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    const refused = await greet(fromSite);
    expect([refused.headers.get('access-control-allow-origin'), Number(refused.headers.get('retry-after')) > 0]).toEqual(['https://tea.example', true]);
  });

  test('are limited for each address, readable by the page', async () => {
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await fetch(`${base}/api/test/visitors/aaaaaaaaaaaa/greeting`)).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 429]);
    expect((await greet(fromSite)).status).toBe(429);
  });
});
