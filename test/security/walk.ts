import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { defaultConfig } from '../../contract/crawler/config';
import { siteActionOf } from '../../contract/endpoint';
import type { ErrorCode } from '../../contract/errors';
import { instanceRoles, siteRoles, tokenScopes } from '../../contract/permissions';
import type { InstanceAction, InstanceRole, SiteAction, SiteRole, TokenScope } from '../../contract/permissions';
import { users } from '../../server/areas/account/schema';
import { crawlers, crawlRuns, emptyCounters } from '../../server/areas/crawler/schema';
import { instanceSettings, sessions } from '../../server/areas/session/schema';
import { siteGrants, sites } from '../../server/areas/sites/schema';
import { apiTokens } from '../../server/areas/tokens/schema';
import { cookieStyle } from '../../server/http/cookies';
import type { AnyEndpoint } from '../../server/http/route';
import type { TestApp } from '../support/app';
import { thorough } from '../support/thorough';

const all = [...instanceRoles];

/** The permissions once more, by hand: an unintended change of `contract/permissions.ts` fails here. */
export const mayInstance: Readonly<Record<InstanceAction, readonly InstanceRole[]>> = {
  'site.create': ['owner', 'manager'],
  'site.seeAll': ['owner', 'manager'],
  'site.suspend': ['owner', 'manager'],
  'people.read': ['owner', 'manager'],
  'people.manage': ['owner', 'manager'],
  'people.reset': ['owner'],
  'policy.write': ['owner'],
  'audit.read': ['owner', 'manager'],
  'contacts.read': ['owner', 'manager', 'finance'],
  'contacts.write': ['owner', 'manager', 'finance'],
  'trades.read': all,
  'trades.readAll': ['owner', 'manager', 'finance'],
  'trades.write': ['owner', 'finance'],
};
export const maySite: Readonly<Record<SiteAction, readonly SiteRole[]>> = {
  'site.read': [...siteRoles],
  'site.rename': ['admin'],
  'site.compose': ['admin'],
  'site.publish': ['admin', 'editor'],
  'site.archive': ['admin'],
  'site.delete': ['admin'],
  'analytics.read': ['admin', 'editor', 'analyst', 'viewer'],
  'analytics.export': ['admin', 'analyst'],
  'analytics.write': ['admin', 'editor', 'analyst'],
  'analytics.configure': ['admin'],
  'tables.use': [...siteRoles],
  'tables.design': ['admin'],
  'resources.read': ['admin', 'editor', 'analyst', 'support', 'viewer'],
  'resources.write': ['admin', 'editor'],
  'resources.configure': ['admin'],
  'crawler.read': ['admin', 'editor', 'analyst', 'viewer'],
  'crawler.run': ['admin', 'editor', 'analyst'],
  'crawler.configure': ['admin'],
  'support.read': ['admin', 'editor', 'analyst', 'support'],
  'support.reply': ['admin', 'support'],
  'support.configure': ['admin'],
};

/** Sites of the walk. `own` and `bin`: people have their site role there; nobody has one on `foreign`. */
export const siteIds = { own: 'walkownaaaaa', foreign: 'walkforeigna', bin: 'walkbinaaaaa', unknown: 'walkunknowna', malformed: 'x' } as const;
export type SiteCase = keyof typeof siteIds;
/** A crawler of each site with a run, both of which have this id: calls of a resource name its site by it. */
export const crawlIds: Readonly<Record<SiteCase, string>> = {
  own: '00000000-0000-4000-8000-000000000001',
  foreign: '00000000-0000-4000-8000-000000000002',
  bin: '00000000-0000-4000-8000-000000000003',
  unknown: '00000000-0000-4000-8000-000000000004',
  malformed: 'x',
};

export type Caller = {
  /** Id of the person, or of the token. */
  readonly id: string;
  readonly name: string;
  readonly role: InstanceRole;
  readonly siteRole: SiteRole | null;
  /** null: not signed in, or no longer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly alive: boolean;
  readonly proven: boolean;
  readonly mustEnrol: boolean;
  readonly token: { readonly kind: TokenKind; readonly scopes: readonly TokenScope[]; readonly siteIds: readonly string[] | null } | null;
};
export type TokenKind = 'all' | 'own site' | 'foreign site' | `only ${TokenScope}` | `all but ${TokenScope}`;

export const nobody: Caller = {
  id: '',
  name: 'nobody',
  role: 'member',
  siteRole: null,
  headers: {},
  alive: false,
  proven: false,
  mustEnrol: false,
  token: null,
};

/** The expected response: an error code, or `pass`. In the server's order of checks. */
export function expected(endpoint: AnyEndpoint, caller: Caller, site: SiteCase): ErrorCode | 'pass' {
  const { access } = endpoint;
  if (access === 'public') return 'pass';
  if (typeof access === 'object' && 'visitors' in access) throw new Error(`the walk has no rows for ${endpoint.id} yet: add them`);
  if (!caller.alive) return 'unauthorized';
  if (caller.token && (endpoint.token === undefined || !caller.token.scopes.includes(endpoint.token))) return 'token_scope';
  if (caller.mustEnrol && endpoint.beforeEnrolment !== true) return 'enrolment_required';
  if (typeof access === 'object' && 'instance' in access && !mayInstance[access.instance].includes(caller.role)) return 'forbidden';
  const action = siteActionOf(access);
  if (action !== null) {
    if (site === 'unknown' || site === 'malformed') return 'not_found';
    if (caller.token?.siteIds && !caller.token.siteIds.includes(siteIds[site])) return 'not_found';
    const role = mayInstance['site.seeAll'].includes(caller.role) ? 'admin' : site === 'foreign' ? null : caller.siteRole;
    if (role === null || (site === 'bin' && action !== 'site.archive')) return 'not_found';
    if (!maySite[action].includes(role)) return 'forbidden';
  }
  return endpoint.proven === true && !caller.proven ? 'reauth_required' : 'pass';
}

const day = 24 * 3_600_000;
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const random = (): string => randomBytes(32).toString('base64url');

export type Cast = {
  /** Every instance role × no grant and every site role, signed in just now. */
  readonly people: readonly Caller[];
  /** The same, signed in longer ago than a proof is valid. */
  readonly stale: readonly Caller[];
  /** API tokens of all of them: one scope, all but one, all; for some sites. */
  readonly tokens: readonly Caller[];
  /** Sessions and tokens of people who must set up a second factor first. */
  readonly enrolling: readonly Caller[];
  /** Credentials that are no longer valid: ended sessions and tokens, and those of a disabled person. */
  readonly dead: readonly Caller[];
};

/** Inserts everybody directly into the database: two hundred sign-ins would take a minute. */
export async function makeCast(t: TestApp): Promise<Cast> {
  const { db } = t.ctx.postgres;
  const now = new Date(t.ctx.now());
  const at = (ms: number): Date => new Date(now.getTime() + ms);
  const cookie = cookieStyle(t.ctx.config).session;
  const userRows: (typeof users.$inferInsert)[] = [];
  const grantRows: (typeof siteGrants.$inferInsert)[] = [];
  const sessionRows: (typeof sessions.$inferInsert)[] = [];
  const tokenRows: (typeof apiTokens.$inferInsert)[] = [];

  type Who = Pick<Caller, 'id' | 'name' | 'role' | 'siteRole' | 'mustEnrol'>;
  function person(role: InstanceRole, siteRole: SiteRole | null, change: { readonly mustEnrol?: boolean; readonly disabled?: boolean } = {}): Who {
    const { mustEnrol = false, disabled = false } = change;
    const id = randomUUID();
    userRows.push({ id, loginName: `walk-${userRows.length}`, displayName: 'x', passwordHash: 'x', role, createdAt: now, secondFactor: !mustEnrol, disabled });
    if (siteRole) for (const siteId of [siteIds.own, siteIds.bin]) grantRows.push({ siteId, userId: id, role: siteRole, createdAt: now });
    return { id, role, siteRole, mustEnrol, name: siteRole ? `${role} + ${siteRole}` : role };
  }
  function session(who: Who, state: 'proven' | 'stale' | 'over' | 'dead'): Caller {
    const value = random();
    const ended = state === 'over' ? -1000 : day;
    sessionRows.push({
      tokenHash: hashOf(value),
      userId: who.id,
      remember: false,
      createdAt: at(-3_600_000),
      lastSeenAt: now,
      idleUntil: at(ended),
      absoluteUntil: at(day),
      provenAt: state === 'stale' ? at(-11 * 60_000) : now,
      address: '',
      userAgent: '',
    });
    const headers = { cookie: `${cookie}=${value}`, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console' };
    return { ...who, name: `${who.name}, ${state}`, headers, alive: state === 'proven' || state === 'stale', proven: state !== 'stale', token: null };
  }
  function token(who: Who, kind: TokenKind, scopes: readonly TokenScope[], among: readonly string[] | null = null, alive = true, endsIn = day): Caller {
    const value = `sck_${random()}`;
    const id = randomUUID();
    tokenRows.push({
      id,
      tokenHash: hashOf(value),
      ending: value.slice(-4),
      userId: who.id,
      name: kind,
      scopes: [...scopes],
      siteIds: among && [...among],
      addresses: [],
      createdAt: now,
      expiresAt: at(endsIn),
      // As if just used: the walk writes nothing.
      lastUsedAt: now,
    });
    return {
      ...who,
      id,
      name: `token of ${who.name}: ${kind}`,
      headers: { authorization: `Bearer ${value}` },
      alive,
      proven: false,
      token: { kind, scopes, siteIds: among },
    };
  }

  const everybody = instanceRoles.flatMap((role) => [null, ...siteRoles].map((siteRole) => person(role, siteRole)));
  const without = (scope: TokenScope): TokenScope[] => tokenScopes.filter((other) => other !== scope);
  const enrolling = [...instanceRoles.map((role) => person(role, null, { mustEnrol: true })), person('member', 'admin', { mustEnrol: true })];
  const gone = person('owner', null, { disabled: true });
  const still = person('owner', null);
  const cast: Cast = {
    people: everybody.map((who) => session(who, 'proven')),
    stale: everybody.map((who) => session(who, 'stale')),
    tokens: everybody.flatMap((who) => [
      ...tokenScopes.map((scope) => token(who, `only ${scope}`, [scope])),
      ...tokenScopes.map((scope) => token(who, `all but ${scope}`, without(scope))),
      token(who, 'all', tokenScopes),
      token(who, 'own site', tokenScopes, [siteIds.own]),
      token(who, 'foreign site', tokenScopes, [siteIds.foreign]),
    ]),
    enrolling: enrolling.flatMap((who) => [session(who, 'proven'), token(who, 'all', tokenScopes)]),
    dead: [session(gone, 'dead'), token(gone, 'all', tokenScopes, null, false), session(still, 'over'), token(still, 'all', tokenScopes, null, false, -1000)],
  };

  const siteRow = (id: string, state: 'draft' | 'deleted') => ({
    id,
    name: id,
    slug: id,
    purpose: 'built' as const,
    state,
    defaultLang: 'en',
    timeZone: 'UTC',
    identity: 'first_party' as const,
    createdAt: now,
    deletedAt: state === 'deleted' ? now : null,
  });
  await db.insert(users).values(userRows);
  await db.insert(sites).values([siteRow(siteIds.own, 'draft'), siteRow(siteIds.foreign, 'draft'), siteRow(siteIds.bin, 'deleted')]);
  await db.insert(siteGrants).values(grantRows);
  for (const one of ['own', 'foreign', 'bin'] as const) {
    const [id, config] = [crawlIds[one], defaultConfig(['https://tea.example/'])];
    const ofSite = { id, siteId: siteIds[one], config, createdAt: now };
    await db.insert(crawlers).values({ ...ofSite, name: one, kind: 'audit', timeZone: 'UTC', updatedAt: now });
    await db.insert(crawlRuns).values({ ...ofSite, crawlerId: id, number: 1, trigger: 'manual', state: 'completed', verified: true, counters: emptyCounters });
  }
  await db.insert(sessions).values(sessionRows);
  await db.insert(apiTokens).values(tokenRows);
  // Everybody requires a second factor immediately; everybody except `mustEnrol` has one.
  const policy = { secondFactor: 'all', graceDays: 0, selfRename: true, revision: 1, since: new Date(0).toISOString() };
  await db.insert(instanceSettings).values({ name: 'policy', value: policy, updatedAt: now });
  return cast;
}

/** The sites to try for an endpoint and caller: all that could make a difference, without equivalent ones. */
function sitesToTry(endpoint: AnyEndpoint, caller: Caller): readonly SiteCase[] {
  const ofSite = siteActionOf(endpoint.access) !== null;
  const { token } = caller;
  // The endpoint has no site: grants and lists of sites make no difference.
  if (!ofSite) return caller.siteRole !== null || token?.kind.endsWith('site') === true || !isTelling(endpoint, caller) ? [] : ['own'];
  if (!isTelling(endpoint, caller)) return [];
  if (token?.kind.endsWith('site') === true) return ['own', 'foreign'];
  if (token && token.kind === `only ${endpoint.token}`) return ['own', 'foreign', 'unknown'];
  return token || !caller.alive || !caller.proven ? ['own'] : (Object.keys(siteIds) as SiteCase[]);
}

/** Endpoints with the same rule run the same check: one of them is walked in full, three when thorough. */
const walkedWhole = thorough ? 3 : 1;

/**
 * All calls of the walk. For the other endpoints of a rule, only what could differ by endpoint: its address and the rule it names (a third of the people in turn,
 * on their own and on a foreign site, and owners' tokens and sessions of every kind).
 */
export function cellsOf(endpoints: readonly AnyEndpoint[], callers: readonly Caller[]): (readonly [AnyEndpoint, Caller, SiteCase])[] {
  const occurrences = new Map<string, number>();
  return endpoints.flatMap((endpoint) => {
    const { access, token, proven, beforeEnrolment, publicLinks, kind } = endpoint;
    const rule = JSON.stringify([access, token, proven, beforeEnrolment, publicLinks, kind]);
    const before = occurrences.get(rule) ?? 0;
    occurrences.set(rule, before + 1);
    const whole = before < walkedWhole;
    return callers.flatMap((caller, place) => {
      const tried = sitesToTry(endpoint, caller);
      const inTurn = thorough || (place + before) % 3 === 0;
      const ordinary = inTurn && caller.token === null && caller.alive && caller.proven && !caller.mustEnrol;
      const selectedSites = whole
        ? tried
        : ordinary
          ? tried.filter((site) => site === 'own' || site === 'foreign')
          : caller.role === 'owner'
            ? tried.slice(0, 1)
            : [];
      return selectedSites.map((site) => [endpoint, caller, site] as const);
    });
  });
}

/** Of the tokens of active people: the one with only this scope and the one with all others; if no scope opens the endpoint, the one with all. */
function isTelling(endpoint: AnyEndpoint, { token, alive, mustEnrol }: Caller): boolean {
  if (!token || !alive || mustEnrol) return true;
  if (endpoint.token === undefined) return token.kind === 'all';
  return token.kind === `only ${endpoint.token}` || token.kind === `all but ${endpoint.token}` || token.kind.endsWith('site');
}
