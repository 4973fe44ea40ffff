import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Hostname, hostnameEndpoints as endpoints } from '../../../contract/hostnames/schemas';
import { hostnameLimits, preloadSeconds } from '../../../contract/hostnames/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { DAY } from '../../zone';
import { actorOf, difference, record, systemActor } from '../audit';
import type { Actor } from '../audit';
import { annotate } from '../insights';
import { lockSite, systemHostFor, systemHostOf } from '../sites';
import { firstRecords } from './doctor';
import { pairOf, readHostname } from './input';
import type { ReadHost } from './input';
import * as queries from './queries';
import type { HostnameRow } from './queries';
import { hostnameResponse, isServed } from './responses';
import { targetFor } from './target';

type Site = CallOf<typeof endpoints.addHostname>['site'];
type Response = z.input<typeof Hostname>;
type Note = { readonly kind: 'hostname_added' | 'hostname_removed' | 'primary_changed'; readonly values: Readonly<Record<string, string>> };

/** Other processes serve the change, and open consoles fetch it. */
export const announce = (ctx: Pick<Context, 'live'>, siteId: string): void => ctx.live.publish({ type: 'hostnames', siteId });

/** A hostname as the target of an audit log entry. */
export const about = (row: Pick<HostnameRow, 'id' | 'host' | 'siteId'>) => ({ siteId: row.siteId, target: { kind: 'hostname', id: row.id, name: row.host } });
const authorOf = (actor: Actor): string | null => (actor.kind === 'person' || actor.kind === 'token' ? actor.id : null);

async function note(ctx: Context, tx: queries.Db, site: Pick<Site['row'], 'id' | 'timeZone'>, actor: Actor, { kind, values }: Note): Promise<void> {
  await annotate(ctx, tx, site.id, { kind, values, timeZone: site.timeZone, author: authorOf(actor) });
}

export async function readOne(ctx: Context, siteId: string, id: string): Promise<Response> {
  return hostnameResponse((await queries.findHostname(ctx.postgres.db, siteId, id)) ?? fail('not_found'));
}

export async function listHostnames(ctx: Context, { site }: CallOf<typeof endpoints.hostnames>): Promise<ResponseOf<typeof endpoints.hostnames>> {
  const url = systemHostOf(site.row, ctx.config);
  return {
    rows: (await queries.listHostnames(ctx.postgres.db, site.id)).map(hostnameResponse),
    system: url === null ? null : { host: new URL(url).hostname, url },
    tlsMode: ctx.config.tlsMode,
    ready: ctx.config.sitesUrl !== null,
  };
}

/** Hosts of the program itself: the console's, and all below the zone of the system hosts. */
export function isOwnHost(config: Context['config'], host: string): boolean {
  const zone = new URL(systemHostFor('x', config)).hostname.slice(2);
  return host === new URL(config.publicUrl).hostname || host === zone || host.endsWith(`.${zone}`);
}

type NewHostname = Pick<ReadHost, 'host' | 'apex'> & Pick<HostnameRow, 'role' | 'redirectTo'>;

/** Null if the host belongs to a site already. */
async function insert(ctx: Context, tx: queries.Db, site: Site, { host, apex, role, redirectTo }: NewHostname, actor: Actor): Promise<HostnameRow | null> {
  const now = new Date(ctx.now());
  const name = { host, apex, token: randomBytes(16).toString('hex'), contested: await queries.isContested(tx, site.id, host, apex, now) };
  const records = firstRecords(name, targetFor(ctx.config, site.row), ctx.config.tlsMode);
  const at = { createdBy: authorOf(actor), createdAt: now, nextAt: now };
  return queries.insertHostname(tx, { ...name, ...at, siteId: site.id, role, redirectTo, records, dns: 'pending' });
}

/**
 * Adds a hostname, and its pair if requested. A pair that belongs to a site already is left out. If another site claims the hostname without having connected it in
 * time, whoever proves ownership first gets it. Throws `host_taken`, `hosts_full` and `invalid_fields`.
 */
export async function addHostname(ctx: Context, call: CallOf<typeof endpoints.addHostname>): Promise<ResponseOf<typeof endpoints.addHostname>> {
  const { site, body } = call;
  if (site.row.purpose !== 'built') fail('not_delivered');
  const read = readHostname(body.host);
  if ('refused' in read) return failField('host', read.refused);
  if (isOwnHost(ctx.config, read.host)) failField('host', 'own_host');
  const pair = body.withPair ? pairOf(read) : null;
  const actor = actorOf(call);
  const added = await ctx.postgres.db.transaction(async (tx) => {
    await lockSite(tx, site.id);
    await queries.lockHosts(tx, pair === null ? [read.host] : [read.host, pair]);
    const present = await queries.countHostnames(tx, site.id);
    if (present + (pair === null ? 1 : 2) > hostnameLimits.perSite) fail('hosts_full');
    const { host, apex } = read;
    const main = { host, apex, role: 'serve', redirectTo: null } as const;
    const first = (await insert(ctx, tx, site, main, actor)) ?? fail('host_taken', { fields: { host: { code: 'duplicate' } } });
    const second = pair === null ? null : await insert(ctx, tx, site, { host: pair, apex, role: 'redirect', redirectTo: first.id }, actor);
    const rows = second === null ? [first] : [first, second];
    for (const row of rows) {
      await record(ctx, tx, actor, { action: 'hostname.added', ...about(row), after: { role: row.role } });
      await note(ctx, tx, site.row, actor, { kind: 'hostname_added', values: { name: row.host } });
    }
    await queries.wakeChecker(tx);
    return rows;
  });
  announce(ctx, site.id);
  return { added: added.map((row) => hostnameResponse({ row, uploaded: false })), reduced: read.reduced };
}

/** Removes what other sites claim of a hostname whose owner is known now, in the caller's transaction. Returns these sites, to which the caller announces it. */
export async function giveUpClaims(ctx: Context, tx: queries.Db, owned: HostnameRow): Promise<string[]> {
  const claims = await queries.removeOtherClaims(tx, owned);
  for (const claim of claims) {
    await queries.releaseRedirects(tx, claim.id);
    await record(ctx, tx, systemActor, { action: 'hostname.removed', ...about(claim), before: { role: claim.role } });
  }
  return claims.map(({ siteId }) => siteId);
}

type Change = CallOf<typeof endpoints.changeHostname>['body'];

/** `tlsError` where a proxy that is not in TRUSTED_PROXIES ends TLS: redirects to https would never end. */
export const schemeLost = 'scheme_lost';

/** Refuses changes that would lock visitors out or send them in circles. `next`: the row with the change. */
async function checkChange(tx: queries.Db, before: HostnameRow, next: HostnameRow, body: Change): Promise<void> {
  if (body.role !== undefined && before.role === 'primary') fail('bad_transition');
  if (next.redirectTo !== null && body.redirectTo !== undefined) {
    const target = next.redirectTo === before.id ? null : await queries.findHostname(tx, before.siteId, next.redirectTo);
    if (target === null || target.row.role === 'redirect') failField('redirectTo', 'unknown');
  }
  if (body.forceHttps === true && !before.forceHttps && before.tls !== 'active' && before.tls !== 'renewing') failField('forceHttps', 'needs_certificate');
  if (body.forceHttps === true && !before.forceHttps && before.tlsError === schemeLost) failField('forceHttps', 'scheme_lost');
  const { maxAge, subdomains, preload } = next.hsts;
  if (body.hsts === undefined && body.forceHttps === undefined) return;
  if (maxAge > 0 && !next.forceHttps) failField('hsts', 'needs_https');
  if (!preload) return;
  if (!subdomains || maxAge < preloadSeconds) failField('hsts', 'needs_subdomains');
  if (!before.hsts.preload && body.confirm?.trim().toLowerCase() !== before.host) fail('confirm_mismatch');
}

/** The settings as recorded in the audit log. */
const factsOf = ({ role, redirectCode, keepPath, redirectTo, forceHttps, hsts }: HostnameRow) => ({
  role,
  redirectStatus: redirectCode,
  keepPath,
  redirectTo,
  forceHttps,
  hsts,
});
const factKeys = ['role', 'redirectStatus', 'keepPath', 'redirectTo', 'forceHttps', 'hsts'] as const;

/** Changes redirect and HTTPS settings. Throws `stale_revision`, `bad_transition`, `confirm_mismatch` and `invalid_fields`. */
export async function changeHostname(ctx: Context, call: CallOf<typeof endpoints.changeHostname>): Promise<Response> {
  const { site, params, body } = call;
  const revision = call.ifMatch();
  const actor = actorOf(call);
  const written = await ctx.postgres.db.transaction(async (tx) => {
    await lockSite(tx, site.id);
    const { row: before } = (await queries.findHostname(tx, site.id, params.id)) ?? fail('not_found');
    if (before.revision !== revision) return false;
    const { confirm: _typed, ...input } = body;
    const change: Partial<HostnameRow> = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const next = { ...before, ...change };
    await checkChange(tx, before, next, body);
    const after = await queries.updateHostname(tx, before.id, { ...change, revision: revision + 1 });
    if (after?.role === 'redirect' && before.role !== 'redirect') await queries.releaseRedirects(tx, before.id);
    await record(ctx, tx, actor, { action: 'hostname.changed', ...about(before), ...difference(factsOf(before), factsOf(next), factKeys) });
    return true;
  });
  if (!written) return fail('stale_revision', { current: await readOne(ctx, site.id, params.id) });
  announce(ctx, site.id);
  return readOne(ctx, site.id, params.id);
}

/** The served hostname of a site that has none as its main address becomes it, in the caller's transaction. */
export async function ensurePrimary(ctx: Context, tx: queries.Db, site: Pick<Site['row'], 'id' | 'timeZone'>, actor: Actor): Promise<void> {
  const rows = await queries.listHostnames(tx, site.id);
  if (rows.some(({ row }) => row.role === 'primary')) return;
  const next = await queries.nextPrimary(tx, site.id);
  if (next === null) return;
  await queries.updateHostname(tx, next.id, { role: 'primary', redirectTo: null, revision: next.revision + 1 });
  await note(ctx, tx, site, actor, { kind: 'primary_changed', values: { before: '', after: next.host } });
}

/** Removes a hostname. A verified one is quarantined; another served one becomes primary if it was. */
export async function removeHostname(ctx: Context, call: CallOf<typeof endpoints.removeHostname>): Promise<void> {
  const { site, params } = call;
  const actor = actorOf(call);
  await ctx.postgres.db.transaction(async (tx) => {
    await lockSite(tx, site.id);
    const { row } = (await queries.findHostname(tx, site.id, params.id)) ?? fail('not_found');
    if (row.ownership === 'verified') await queries.quarantine(tx, row.host, site.id, new Date(ctx.now() + hostnameLimits.quarantineDays * DAY));
    await queries.releaseRedirects(tx, row.id);
    await queries.deleteHostname(tx, row.id);
    await record(ctx, tx, actor, { action: 'hostname.removed', ...about(row), before: { role: row.role } });
    await note(ctx, tx, site.row, actor, { kind: 'hostname_removed', values: { name: row.host } });
    if (row.role === 'primary') await ensurePrimary(ctx, tx, site.row, actor);
  });
  announce(ctx, site.id);
}

/** Makes a served hostname the main address, and the one before a serving one, in one transaction. Throws `bad_transition` if it is not served. */
export async function makePrimary(ctx: Context, call: CallOf<typeof endpoints.makePrimary>): Promise<Response> {
  const { site, params } = call;
  const actor = actorOf(call);
  await ctx.postgres.db.transaction(async (tx) => {
    await lockSite(tx, site.id);
    const rows = await queries.listHostnames(tx, site.id);
    const { row } = rows.find((one) => one.row.id === params.id) ?? fail('not_found');
    if (row.role === 'primary') return;
    if (!isServed(row)) fail('bad_transition');
    const before = rows.find((one) => one.row.role === 'primary')?.row.host ?? '';
    await queries.demotePrimary(tx, site.id);
    await queries.updateHostname(tx, row.id, { role: 'primary', redirectTo: null, revision: row.revision + 1 });
    await record(ctx, tx, actor, { action: 'hostname.changed', ...about(row), before: { role: row.role }, after: { role: 'primary' } });
    await note(ctx, tx, site.row, actor, { kind: 'primary_changed', values: { before, after: row.host } });
  });
  announce(ctx, site.id);
  return readOne(ctx, site.id, params.id);
}
