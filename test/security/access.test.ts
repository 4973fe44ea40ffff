import { readdirSync } from 'node:fs';
import path from 'node:path';
import { siteActionOf } from '../../contract/endpoint';
import { tokenScopes } from '../../contract/permissions';
import type { FiguresOfSites } from '../../contract/sites/list';
import type { SiteRole } from '../../contract/permissions';
import { auditLog } from '../../server/areas/audit/schema';
import type { AnyEndpoint } from '../../server/http/route';
import { endpointsOf } from '../../server/http/openapi';
import { openRoutes } from '../../server/http/open';
import { packageRoot } from '../../server/http/packageRoot';
import { createApp } from '../../server/http/app';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { cellsOf, crawlIds, expected, makeCast, mayInstance, maySite, nobody, siteIds } from './walk';
import type { Caller, SiteCase } from './walk';

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

test('every route is an endpoint of the contract or listed as open', () => {
  for (const { url, endpoint } of t.app.routeTable) expect([url, endpoint !== null || url in openRoutes]).toEqual([url, true]);
});

test('a route without an access rule cannot be registered', async () => {
  const app = await createApp(t.ctx);
  expect(() => app.get('/api/core/forgotten', async () => 'open')).toThrow(/open\.ts/);
  await app.close();
});

test('every endpoint of the contract is registered', async () => {
  const dir = path.join(packageRoot(), 'contract');
  const registered = new Set(endpointsOf(t.app.routeTable).map((e) => `${e.method} ${e.path}`));
  const missing: string[] = [];
  for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))) {
    const module = (await import(`../../contract/${file.slice(0, -3)}`)) as Record<string, unknown>;
    for (const [name, group] of Object.entries(module)) {
      if (!name.endsWith('Endpoints')) continue;
      for (const { method, path: url } of Object.values(group as Record<string, AnyEndpoint>))
        if (!registered.has(`${method} ${url}`)) missing.push(`${method} ${url}`);
    }
  }
  expect(missing).toEqual([]);
});

/** Endpoints that need no session. Any other `public` endpoint is a mistake. */
const openToAll = [
  'acceptInvite',
  'contactLinkState',
  // Published records of tables that a rule opens to the public.
  'contentItem',
  'contentList',
  'forgot',
  'inviteState',
  'passkeySignIn',
  'passkeySignInOptions',
  'reset',
  'resetState',
  'session',
  'setUp',
  'setUpState',
  // Public views of content tables and public forms, by the secret of the link.
  'addFormFile',
  'sendForm',
  'openViewFile',
  'openForm',
  'openViewRows',
  'openView',
  'openReports',
  'signIn',
  'signInSecond',
  'signOut',
  'unlockReports',
  'unlockView',
  'useContactLink',
  'verifyEmail',
];
/** Actions that no endpoint declares, because code checks them within other endpoints. */
const checkedInCode = new Set(['site.seeAll', 'site.suspend']);

test('every public endpoint is listed', () => {
  const open = endpointsOf(t.app.routeTable).filter(({ access }) => access === 'public');
  expect(open.map(({ id }) => id).filter((id) => !openToAll.includes(id))).toEqual([]);
});

test('endpoint ids are unique, scopes used, and proof endpoints closed to tokens', () => {
  const endpoints = endpointsOf(t.app.routeTable);
  expect(endpoints.filter(({ token, proven }) => token !== undefined && proven === true).map(({ id }) => id)).toEqual([]);
  expect(endpoints.filter(({ token, access }) => token !== undefined && access === 'public').map(({ id }) => id)).toEqual([]);
  expect(tokenScopes.filter((scope) => !endpoints.some(({ token }) => token === scope))).toEqual([]);
  const ids = endpoints.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  // An action that no endpoint requires protects nothing, unless code checks it by name.
  const requiredActions = new Set<string>(
    endpoints.flatMap(({ access }) => (typeof access === 'object' && 'instance' in access ? [access.instance] : (siteActionOf(access) ?? []))),
  );
  expect([...Object.keys(mayInstance), ...Object.keys(maySite)].filter((action) => !requiredActions.has(action) && !checkedInCode.has(action))).toEqual([]);
});

describe('access matrix', () => {
  let w: TestApp;
  /** Sent after the access check and before the handler: the caller was admitted, and nothing is executed. */
  const reached = 299;
  beforeAll(async () => {
    w = await makeTestApp({
      prepare: (app) => app.addHook('preValidation', async (request, reply) => (request.routeOptions.config.endpoint ? reply.code(reached).send() : undefined)),
    });
  });
  afterAll(() => w.close());

  const addressOf = (endpoint: AnyEndpoint, site: SiteCase): string =>
    endpoint.path
      .replace(':siteId', siteIds[site])
      .replace(/:(?:crawlerId|crawlRunId)/, crawlIds[site])
      .replace(':urlId', '1')
      .replaceAll(/:[A-Za-z]+/g, '0b8f9f5e-5a34-4a53-9d3c-0c7f6a1d2e3f');
  let knocks = 0;
  async function knock(endpoint: AnyEndpoint, caller: Caller, site: SiteCase): Promise<string> {
    // From many addresses, so that rate limits do not interfere.
    const n = knocks++;
    const answer = await w.app.inject({
      method: endpoint.method,
      url: addressOf(endpoint, site),
      headers: caller.headers,
      remoteAddress: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
    });
    return answer.statusCode === reached ? 'pass' : answer.json<{ code: string }>().code;
  }

  test('every endpoint allows exactly the expected callers, sites and credentials', async () => {
    const cast = await makeCast(w);
    const callers = [nobody, ...cast.dead, ...cast.people, ...cast.stale, ...cast.enrolling, ...cast.tokens];
    const endpoints = endpointsOf(w.app.routeTable);
    const cells = cellsOf(endpoints, callers);

    const wrong: string[] = [];
    const denied = new Set<string>();
    const answers: Record<string, number> = {};
    let next = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let cell = cells[next++]; cell; cell = cells[next++]) {
          const [endpoint, caller, site] = cell;
          const [want, got] = [expected(endpoint, caller, site), await knock(endpoint, caller, site)];
          answers[got] = (answers[got] ?? 0) + 1;
          if (got !== want) wrong.push(`${endpoint.method} ${endpoint.path} × ${caller.name} × ${site} site: ${got}, expected ${want}`);
          if (['token_scope', 'forbidden', 'enrolment_required'].includes(got)) denied.add(`${caller.id} ${endpoint.method} ${endpoint.path} ${got}`);
        }
      }),
    );
    const summary = Object.entries(answers).map(([code, n]) => `${code} ${n}`);
    process.stdout.write(`access walk: ${endpoints.length} endpoints × ${callers.length} callers, ${cells.length} cells (${summary.join(', ')})\n`);
    expect(wrong.slice(0, 40)).toEqual([]);
    expect(cells.length).toBeGreaterThan(5000);
    // Each refusal of a known caller is recorded in the audit log.
    const written = async () =>
      (await w.ctx.postgres.db.select().from(auditLog)).map(({ tokenId, actorId, after }) =>
        [tokenId ?? actorId, after?.['method'], after?.['path'], after?.['reason']].join(' '),
      );
    await until(async () => (await written()).length >= denied.size);
    expect(new Set(await written())).toEqual(denied);
    // About thirty thousand requests: half a minute on an idle machine, several minutes on a busy one.
  }, 420_000);
});

test('a site without a grant answers like an unknown site', async () => {
  const outsider = await t.makePerson('member');
  const bodies = await Promise.all(
    [siteId, unknownSite].map(async (id) => ({ ...(await outsider.get(`/api/core/sites/${id}`)).json<object>(), requestId: '' })),
  );
  expect(bodies[0]).toEqual(bodies[1]);
});

test('site figures are limited to people who may read its reports', async () => {
  const figuresFor = async (role: SiteRole): Promise<string[]> => {
    const person = await t.makePerson('member');
    await t.grant(siteId, person.userId, role);
    return (await person.get('/api/core/sites/figures'))
      .json<{ data: FiguresOfSites }>()
      .data.sites.filter(({ visits }) => visits !== null)
      .map(({ siteId: id }) => id);
  };
  expect(await figuresFor('viewer')).toEqual([siteId]);
  expect(await figuresFor('support')).toEqual([]);
});
