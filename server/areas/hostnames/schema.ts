import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Certificate, ProbeResult, RecordCheck } from '../../../contract/hostnames/schemas';
import type { DnsState, HostnameRole, Hsts, OwnershipState, RedirectCode, TlsState } from '../../../contract/hostnames/terms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Hostnames of sites, and what their last check saw. A worker holds a row while `lease_until` is in the future and `lease_id` is its own. */
export const hostnames = pgTable(
  'hostnames',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    /** Lower case, Punycode. */
    host: text().notNull(),
    apex: text().notNull(),
    role: text().$type<HostnameRole>().notNull(),
    redirectCode: smallint('redirect_code').$type<RedirectCode>().notNull().default(308),
    keepPath: boolean('keep_path').notNull().default(true),
    /** The hostname of the same site that this one redirects to; null: the primary one. */
    redirectTo: uuid('redirect_to'),
    forceHttps: boolean('force_https').notNull().default(false),
    hsts: jsonb()
      .$type<Hsts>()
      .notNull()
      .default(sql`'{"maxAge":0,"subdomains":false,"preload":false}'::jsonb`),
    /** 32 hex digits: part of the TXT record and of the address that is requested. */
    token: text().notNull(),
    contested: boolean().notNull(),
    ownership: text().$type<OwnershipState>().notNull().default('unverified'),
    dns: text().$type<DnsState>().notNull().default('unknown'),
    tls: text().$type<TlsState>().notNull().default('none'),
    tlsError: text('tls_error').notNull().default(''),
    certificate: jsonb().$type<Certificate>(),
    /** Failed requests for a certificate in a row, and when the next one is. */
    tlsFailures: integer('tls_failures').notNull().default(0),
    tlsNextAt: moment('tls_next_at'),
    records: jsonb()
      .$type<readonly RecordCheck[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    probe: jsonb()
      .$type<ProbeResult>()
      .notNull()
      .default(sql`'{"state":"unknown","detail":""}'::jsonb`),
    /** Since when visitors get the site under it; null: not yet, or no longer. */
    activeAt: moment('active_at'),
    wrongAnswers: integer('wrong_answers').notNull().default(0),
    wrongSince: moment('wrong_since'),
    /** Checks since it was added, or since somebody asked for one. */
    checks: integer().notNull().default(0),
    checkedAt: moment('checked_at'),
    /** null: automatic checks have stopped. */
    nextAt: moment('next_at'),
    leaseId: uuid('lease_id'),
    leaseUntil: moment('lease_until'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    /** Of what people change; checks do not count. */
    revision: integer().notNull().default(1),
  },
  (t) => [
    // Several sites may claim a hostname, one of them owns it.
    uniqueIndex('hostnames_host_site_key').on(t.host, t.siteId),
    uniqueIndex('hostnames_owner_key')
      .on(t.host)
      .where(sql`${t.ownership} = 'verified'`),
    uniqueIndex('hostnames_primary_key')
      .on(t.siteId)
      .where(sql`${t.role} = 'primary'`),
    index('hostnames_site_index').on(t.siteId),
    index('hostnames_apex_index').on(t.apex),
    index('hostnames_due_index').on(t.nextAt),
    check('hostnames_role_known', sql`${t.role} in ('primary', 'serve', 'redirect')`),
  ],
);

/** Verified hostnames that were removed. `site_id` may belong to a site that no longer exists. */
export const hostnameQuarantine = pgTable('hostname_quarantine', {
  host: text().primaryKey(),
  siteId: text('site_id').notNull(),
  until: moment('until').notNull(),
});

/** Certificate warnings sent, by expiry of the certificate: each step once. */
export const hostnameWarnings = pgTable(
  'hostname_warnings',
  {
    hostnameId: uuid('hostname_id')
      .notNull()
      .references(() => hostnames.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    days: smallint().notNull(),
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hostnameId, t.expiresAt, t.days] })],
);

/** Certificates that this program serves. */
export const hostnameCertificates = pgTable('hostname_certificates', {
  hostnameId: uuid('hostname_id')
    .primaryKey()
    .references(() => hostnames.id, { onDelete: 'cascade' }),
  source: text().$type<'uploaded' | 'issued'>().notNull(),
  /** PEM, the hostname's own certificate first. */
  chain: text().notNull(),
  /** PEM, sealed for the purpose `hostname certificate`. */
  sealedKey: text('sealed_key').notNull(),
  notBefore: moment('not_before').notNull(),
  notAfter: moment('not_after').notNull(),
  updatedAt: moment('updated_at').notNull(),
  /** When it is renewed, within the window that its authority suggests; null: after two thirds of its life. */
  renewAt: moment('renew_at'),
  /** When the authority is asked for that window next; null: as soon as possible. */
  windowReadAt: moment('window_read_at'),
});
