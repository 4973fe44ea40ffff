import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { siteRoles, mayOnSite, may } from '../../contract/permissions';
import type { SiteRole } from '../../contract/permissions';
import type { AnyEndpoint } from '../../server/http/route';
import { endpointsOf } from '../../server/http/openapi';
import { openRoutes } from '../../server/http/open';
import { packageRoot } from '../../server/http/packageRoot';
import { createApp } from '../../server/http/app';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
let siteId: string;
const unknownSite = 'aaaaaaaaaaaa';
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
  siteId = (await t.makeSite(owner)).id;
});
afterAll(() => t.close());

const addressOf = (endpoint: AnyEndpoint, site: string): string =>
  endpoint.path
    .replace(':siteId', site)
    .replace(/:pageId/, '0123456789abcdef')
    .replaceAll(/:[A-Za-z]+/g, randomUUID());
/** Status and code; the body is wrong on purpose, so that nothing really happens where the access check lets the call pass. */
async function knock(who: Browser, endpoint: AnyEndpoint, site: string): Promise<{ status: number; code: string }> {
  const url = addressOf(endpoint, site);
  const answer = endpoint.method === 'GET' ? await who.get(url) : await who.send(endpoint.method, url, { surplus: 1 });
  const body = answer.headers['content-type']?.toString().includes('json') ? answer.json<{ code?: string }>() : {};
  return { status: answer.statusCode, code: body.code ?? '' };
}
const closed = (endpoint: AnyEndpoint) => endpoint.access !== 'public';
/** A stream answers only when it ends: it is walked through the refusals alone. Signing out would end the walk. */
const walkable = (endpoint: AnyEndpoint) => endpoint.kind !== 'sse' && !endpoint.id.startsWith('signOut');

test('every address is an endpoint of the contract or has a reason to be open', () => {
  for (const { url, endpoint } of t.app.routeTable) expect([url, endpoint !== null || url in openRoutes]).toEqual([url, true]);
});

test('an address without an access rule cannot be registered', async () => {
  const app = await createApp(t.ctx);
  expect(() => app.get('/api/core/forgotten', async () => 'open')).toThrow(/open\.ts/);
  await app.close();
});

test('every endpoint of the contract is answered', async () => {
  const dir = path.join(packageRoot(), 'contract');
  const registered = new Set(endpointsOf(t.app.routeTable).map((e) => `${e.method} ${e.path}`));
  const missing: string[] = [];
  for (const file of readdirSync(dir).filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))) {
    const module = (await import(`../../contract/${file.slice(0, -3)}`)) as Record<string, unknown>;
    for (const [name, group] of Object.entries(module)) {
      if (!name.endsWith('Endpoints')) continue;
      for (const { method, path: url } of Object.values(group as Record<string, AnyEndpoint>))
        if (!registered.has(`${method} ${url}`)) missing.push(`${method} ${url}`);
    }
  }
  expect(missing).toEqual([]);
});

test('the walk: every endpoint × nobody, a member without a grant, each site role, the owner', async () => {
  const endpoints = endpointsOf(t.app.routeTable);
  const nobody = t.browser();
  const outsider = await t.makePerson('member');
  const finance = await t.makePerson('finance');
  const granted = new Map<string, Person>();
  for (const role of siteRoles) {
    const person = await t.makePerson('member');
    await t.grant(siteId, person.userId, role);
    granted.set(role, person);
  }
  const wrong: string[] = [];
  let cells = 0;
  const expectCell = (endpoint: AnyEndpoint, who: string, got: { status: number; code: string }, refusal: number | null): void => {
    cells++;
    const passed = ![401, 403].includes(got.status) && !(got.status === 404 && refusal === 404);
    if (refusal === null ? !passed : got.status !== refusal)
      wrong.push(`${endpoint.method} ${endpoint.path} × ${who}: ${got.status} ${got.code}, expected ${refusal ?? 'to pass'}`);
  };
  for (const endpoint of endpoints.filter(closed)) {
    const { access } = endpoint;
    expectCell(endpoint, 'nobody', await knock(nobody, endpoint, siteId), 401);
    if (!walkable(endpoint)) continue;
    if (typeof access !== 'object') {
      for (const [name, who] of [
        ['outsider', outsider],
        ['owner', owner],
      ] as const) {
        const got = await knock(who, endpoint, siteId);
        // A random id names nothing; a wrong password is no refusal of access.
        cells++;
        if (got.status === 401) wrong.push(`${endpoint.path} × ${name}: ${got.status}`);
      }
    } else if ('instance' in access) {
      expectCell(endpoint, 'member', await knock(outsider, endpoint, siteId), may('member', access.instance) ? null : 403);
      expectCell(endpoint, 'finance', await knock(finance, endpoint, siteId), may('finance', access.instance) ? null : 403);
      expectCell(endpoint, 'owner', await knock(owner, endpoint, siteId), null);
    } else {
      expectCell(endpoint, 'outsider', await knock(outsider, endpoint, siteId), 404);
      expectCell(endpoint, 'finance', await knock(finance, endpoint, siteId), 404);
      expectCell(endpoint, 'owner, unknown site', await knock(owner, endpoint, unknownSite), 404);
      expectCell(endpoint, 'owner, malformed site', await knock(owner, endpoint, 'x'), 404);
      for (const [role, who] of granted)
        expectCell(endpoint, role, await knock(who, endpoint, siteId), mayOnSite(role as (typeof siteRoles)[number], access.site) ? null : 403);
    }
  }
  process.stdout.write(`access walk: ${endpoints.length} endpoints, ${cells} cells\n`);
  expect(wrong).toEqual([]);
  expect(cells).toBeGreaterThan(80);
});

test('a site without a grant and a site that does not exist answer the same', async () => {
  const outsider = await t.makePerson('member');
  const bodies = await Promise.all(
    [siteId, unknownSite].map(async (id) => ({ ...(await outsider.get(`/api/core/sites/${id}`)).json<object>(), requestId: '' })),
  );
  expect(bodies[0]).toEqual(bodies[1]);
});

test('figures of a site are for those who may read its reports', async () => {
  const figuresFor = async (role: SiteRole): Promise<string[]> => {
    const person = await t.makePerson('member');
    await t.grant(siteId, person.userId, role);
    return (await person.get('/api/core/sites/figures')).json<{ data: { siteId: string }[] }>().data.map((figures) => figures.siteId);
  };
  expect(await figuresFor('viewer')).toEqual([siteId]);
  expect(await figuresFor('support')).toEqual([]);
});
