import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, not, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { hostnameLimits } from '../../../contract/hostnames/terms';
import { openStates } from '../../../contract/sites/terms';
import { DAY } from '../../zone';
import { sites } from '../sites/schema';
import { hostnameCertificates, hostnameQuarantine, hostnames, hostnameWarnings } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type HostnameRow = typeof hostnames.$inferSelect;
export type CertificateRow = typeof hostnameCertificates.$inferSelect;
export type ListedHostname = { readonly row: HostnameRow; readonly uploaded: boolean };
export type CheckedSite = Pick<typeof sites.$inferSelect, 'id' | 'name' | 'slug' | 'purpose' | 'timeZone'>;
export type LeasedHostname = { readonly row: HostnameRow; readonly site: CheckedSite };

const h = hostnames;

/** Notified when a hostname is due at once. */
export const checkerChannel = 'hostnames';
/** Wakes the checkers of all processes when the caller's transaction is committed. */
export const wakeChecker = (db: Db) => db.execute(sql`select pg_notify(${checkerChannel}, '')`);
const hasUpload = sql<boolean>`exists (select 1 from ${hostnameCertificates} where ${hostnameCertificates.hostnameId} = ${h.id} and ${hostnameCertificates.source} = 'uploaded')`;

export const listHostnames = (db: Db, siteId: string): Promise<ListedHostname[]> =>
  db
    .select({ row: h, uploaded: hasUpload })
    .from(h)
    .where(eq(h.siteId, siteId))
    .orderBy(sql`${h.role} <> 'primary'`, asc(h.host));

/** Hosts of a site with their domains, the primary one first. `served`: visitors get the site there. */
export async function hostsOf(
  db: Db,
  siteId: string,
): Promise<{ readonly host: string; readonly apex: string; readonly served: boolean; readonly tls: boolean }[]> {
  const rows = await listHostnames(db, siteId);
  return rows.map(({ row }) => ({
    host: row.host,
    apex: row.apex,
    served: row.activeAt !== null && row.role !== 'redirect',
    tls: row.tls === 'active' || row.tls === 'renewing',
  }));
}

export const findHostname = async (db: Db, siteId: string, id: string): Promise<ListedHostname | null> =>
  (
    await db
      .select({ row: h, uploaded: hasUpload })
      .from(h)
      .where(and(eq(h.siteId, siteId), eq(h.id, id)))
  )[0] ?? null;

/** Whether a site has proven that it owns a host. */
export const ownsHost = async (db: Db, siteId: string, host: string): Promise<boolean> =>
  (
    await db
      .select({ id: h.id })
      .from(h)
      .where(and(eq(h.siteId, siteId), eq(h.host, host), eq(h.ownership, 'verified')))
  ).length > 0;

export const countHostnames = async (db: Db, siteId: string): Promise<number> =>
  (await db.select({ rows: count() }).from(h).where(eq(h.siteId, siteId)))[0]?.rows ?? 0;

/** Until the caller's transaction ends, nobody else adds one of the hosts. */
export async function lockHosts(db: Db, hosts: readonly string[]): Promise<void> {
  // In the same order everywhere, so that two callers never wait for each other.
  for (const host of hosts.toSorted()) await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`hostname ${host}`}, 0))`);
}

/**
 * Null if the site has the host already, or another one owns it or is still setting it up. What blocks nobody: a claim whose checks have paused or that was added
 * more than a week ago (each manual check begins its setup anew), and a hostname whose ownership has lapsed. The caller holds the lock of the host.
 */
export async function insertHostname(db: Db, row: typeof h.$inferInsert & { readonly createdAt: Date }): Promise<HostnameRow | null> {
  const setUpSince = new Date(row.createdAt.getTime() - hostnameLimits.claimDays * DAY);
  const isSetUp = and(eq(h.ownership, 'unverified'), isNotNull(h.nextAt), gt(h.createdAt, setUpSince));
  const [blocking] = await db
    .select({ id: h.id })
    .from(h)
    .where(and(eq(h.host, row.host), or(eq(h.siteId, row.siteId), eq(h.ownership, 'verified'), isSetUp)))
    .limit(1);
  return blocking ? null : ((await db.insert(h).values(row).returning())[0] ?? null);
}

/** Removes what other sites still have of a host that one has proven to own: claims that nobody proved, and lapsed ownership. */
export const removeOtherClaims = (db: Db, { id, host }: Pick<HostnameRow, 'id' | 'host'>): Promise<HostnameRow[]> =>
  db
    .delete(h)
    .where(and(eq(h.host, host), ne(h.id, id), ne(h.ownership, 'verified')))
    .returning();

/** Whether another site has a verified hostname of the domain, claims this host, or had it until recently. */
export async function isContested(db: Db, siteId: string, host: string, apex: string, now: Date): Promise<boolean> {
  const claimed = db
    .select({ one: sql`1` })
    .from(h)
    .where(and(eq(h.apex, apex), ne(h.siteId, siteId), or(eq(h.ownership, 'verified'), eq(h.host, host))));
  const quarantined = db
    .select({ one: sql`1` })
    .from(hostnameQuarantine)
    .where(and(eq(hostnameQuarantine.host, host), ne(hostnameQuarantine.siteId, siteId), gt(hostnameQuarantine.until, now)));
  const { rows } = await db.execute<{ contested: boolean }>(sql`select exists ${claimed} or exists ${quarantined} as contested`);
  return rows[0]?.contested ?? false;
}

export const updateHostname = async (db: Db, id: string, change: Partial<HostnameRow>): Promise<HostnameRow | null> =>
  (await db.update(h).set(change).where(eq(h.id, id)).returning())[0] ?? null;

/** The primary hostname of a site becomes one that serves. */
export const demotePrimary = (db: Db, siteId: string) =>
  db
    .update(h)
    .set({ role: 'serve', revision: sql`${h.revision} + 1` })
    .where(and(eq(h.siteId, siteId), eq(h.role, 'primary')));

/** Hostnames that redirect to one that no longer serves redirect to the primary one instead. */
export const releaseRedirects = (db: Db, target: string) =>
  db
    .update(h)
    .set({ redirectTo: null, revision: sql`${h.revision} + 1` })
    .where(eq(h.redirectTo, target));

/** The served hostname that has been active the longest and may become primary. */
export const nextPrimary = async (db: Db, siteId: string): Promise<HostnameRow | null> =>
  (
    await db
      .select()
      .from(h)
      .where(and(eq(h.siteId, siteId), eq(h.role, 'serve'), isNotNull(h.activeAt)))
      .orderBy(asc(h.activeAt), asc(h.host))
      .limit(1)
  )[0] ?? null;

export const deleteHostname = (db: Db, id: string) => db.delete(h).where(eq(h.id, id));

export const quarantine = (db: Db, host: string, siteId: string, until: Date) =>
  db.insert(hostnameQuarantine).values({ host, siteId, until }).onConflictDoUpdate({ target: hostnameQuarantine.host, set: { siteId, until } });

/** Quarantines the verified hostnames of a site that is about to be erased. */
export const quarantineSite = (db: Pick<Db, 'execute'>, siteId: string, days: number) =>
  db.execute(sql`
    insert into ${hostnameQuarantine} (host, site_id, until)
    select host, site_id, now() + make_interval(days => ${days}) from ${h} where site_id = ${siteId} and ownership = 'verified'
    on conflict (host) do update set site_id = excluded.site_id, until = excluded.until`);

export const endQuarantines = (db: Db, now: Date) => db.delete(hostnameQuarantine).where(lt(hostnameQuarantine.until, now));

/** Claims due hostnames of sites that are not in the bin, the longest overdue first, exclusively until `leaseUntil`. */
export async function takeDue(db: Db, most: number, leaseId: string, now: Date, leaseUntil: Date): Promise<LeasedHostname[]> {
  const due = db
    .select({ id: h.id })
    .from(h)
    .innerJoin(sites, and(eq(sites.id, h.siteId), ne(sites.state, 'deleted')))
    .where(and(lte(h.nextAt, now), or(isNull(h.leaseUntil), lte(h.leaseUntil, now))))
    .orderBy(asc(h.nextAt))
    .limit(most)
    .for('update', { of: h, skipLocked: true });
  const rows = await db.update(h).set({ leaseId, leaseUntil }).where(inArray(h.id, due)).returning();
  const found = await checkedSites(
    db,
    rows.map(({ siteId }) => siteId),
  );
  return rows.flatMap((row) => {
    const site = found.get(row.siteId);
    return site ? [{ row, site }] : [];
  });
}

export async function checkedSites(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, CheckedSite>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: sites.id, name: sites.name, slug: sites.slug, purpose: sites.purpose, timeZone: sites.timeZone })
    .from(sites)
    .where(inArray(sites.id, [...new Set(ids)]));
  return new Map(rows.map((site) => [site.id, site]));
}

/** Stores the result of a check and releases the hostname; null if another process has claimed it, or it was removed. */
export const settle = async (db: Db, { id, leaseId }: Pick<HostnameRow, 'id' | 'leaseId'>, found: Partial<HostnameRow>): Promise<HostnameRow | null> =>
  (
    await db
      .update(h)
      .set({ ...found, leaseId: null, leaseUntil: null })
      .where(and(eq(h.id, id), leaseId === null ? isNull(h.leaseId) : eq(h.leaseId, leaseId)))
      .returning()
  )[0] ?? null;

/** Releases the hostname as if it had not been claimed. */
export const giveBack = (db: Db, { id, leaseId }: Pick<HostnameRow, 'id' | 'leaseId'>) =>
  db
    .update(h)
    .set({ leaseId: null, leaseUntil: null })
    .where(and(eq(h.id, id), leaseId === null ? isNull(h.leaseId) : eq(h.leaseId, leaseId)));

/** True for the process that must send the warning of a certificate's step. */
export const takeWarning = async (db: Db, row: typeof hostnameWarnings.$inferInsert): Promise<boolean> =>
  (await db.insert(hostnameWarnings).values(row).onConflictDoNothing().returning()).length > 0;

/** False if an issued certificate would have replaced one that somebody uploaded, which stays. */
export const putCertificate = async (db: Db, row: typeof hostnameCertificates.$inferInsert): Promise<boolean> => {
  const setWhere = row.source === 'issued' ? eq(hostnameCertificates.source, 'issued') : undefined;
  const written = await db
    .insert(hostnameCertificates)
    .values(row)
    .onConflictDoUpdate({ target: hostnameCertificates.hostnameId, set: { renewAt: null, windowReadAt: null, ...row }, ...(setWhere && { setWhere }) })
    .returning({ id: hostnameCertificates.hostnameId });
  return written.length > 0;
};

/** Stores the state of a request for a certificate, unless somebody has uploaded one meanwhile. */
export const updateIssuing = (db: Db, id: string, change: Partial<HostnameRow>) =>
  db
    .update(h)
    .set(change)
    .where(and(eq(h.id, id), not(hasUpload)));

export const deleteCertificate = (db: Db, hostnameId: string) =>
  db.delete(hostnameCertificates).where(and(eq(hostnameCertificates.hostnameId, hostnameId), eq(hostnameCertificates.source, 'uploaded')));

/**
 * The served hostname of a site with visitors that needs a certificate most: one without any, or with an issued one that is to be renewed: at the time that its authority suggests, but not in the
 * last tenth of its life, else after two thirds of its life. One that failed waits until its next attempt.
 */
export async function nextToIssue(db: Db, now: Date): Promise<HostnameRow | null> {
  const c = hostnameCertificates;
  const lifetime = sql`(${c.notAfter} - ${c.notBefore})`;
  // Not within a day of its issue: an authority whose windows all lie in the past would otherwise issue one certificate after the other.
  const suggested = sql`least(greatest(${c.renewAt}, ${c.notBefore} + interval '1 day'), ${c.notAfter} - ${lifetime} / 10)`;
  const due = sql`CASE WHEN ${c.renewAt} IS NULL THEN ${c.notBefore} + ${lifetime} * 2 / 3 ELSE ${suggested} END`;
  const isOld = sql`${c.source} = 'issued' and ${now.toISOString()}::timestamptz > ${due}`;
  const [found] = await db
    .select({ row: h })
    .from(h)
    .innerJoin(sites, and(eq(sites.id, h.siteId), inArray(sites.state, [...openStates])))
    .leftJoin(c, eq(c.hostnameId, h.id))
    .where(and(isNotNull(h.activeAt), eq(h.ownership, 'verified'), or(isNull(h.tlsNextAt), lte(h.tlsNextAt, now)), or(isNull(c.hostnameId), isOld)))
    .orderBy(sql`${c.notAfter} nulls first`, asc(h.activeAt))
    .limit(1);
  return found?.row ?? null;
}

/** Issued certificates whose renewal information is to be read now, the one that waits longest first. */
export const dueWindows = (db: Db, now: Date, most: number): Promise<CertificateRow[]> => {
  const { source, windowReadAt } = hostnameCertificates;
  return db
    .select()
    .from(hostnameCertificates)
    .where(and(eq(source, 'issued'), or(isNull(windowReadAt), lte(windowReadAt, now))))
    .orderBy(sql`${windowReadAt} nulls first`)
    .limit(most);
};

/** Remembers when a certificate is to be renewed, unless another one took its place meanwhile. */
export const setRenewal = (db: Db, { hostnameId, updatedAt }: CertificateRow, change: Pick<CertificateRow, 'renewAt' | 'windowReadAt'>) =>
  db
    .update(hostnameCertificates)
    .set(change)
    .where(and(eq(hostnameCertificates.hostnameId, hostnameId), eq(hostnameCertificates.updatedAt, updatedAt)));

/** Certificates of served hostnames, for the listener that serves them. */
export const certificateOf = async (db: Db, host: string): Promise<CertificateRow | null> =>
  (
    await db
      .select({ certificate: hostnameCertificates })
      .from(hostnameCertificates)
      .innerJoin(h, eq(h.id, hostnameCertificates.hostnameId))
      .where(and(eq(h.host, host), eq(h.ownership, 'verified')))
  )[0]?.certificate ?? null;

/** Of each of the sites that has certificates: when the first of them ends (as PostgreSQL writes it), and whether one could not be issued or renewed. */
export async function certificatesOf(db: Db, siteIds: readonly string[]): Promise<{ siteId: string; until: string | null; failed: boolean }[]> {
  if (siteIds.length === 0) return [];
  return db
    .select({
      siteId: h.siteId,
      until: sql<string | null>`min((${h.certificate} ->> 'notAfter')::timestamptz)`,
      failed: sql<boolean>`bool_or(${h.tls} = 'failed')`,
    })
    .from(h)
    .where(and(isNotNull(h.activeAt), inArray(h.siteId, [...siteIds]), or(isNotNull(h.certificate), eq(h.tls, 'failed'))))
    .groupBy(h.siteId);
}
