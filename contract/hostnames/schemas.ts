import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';
import { hostnameCalls } from './calls';
import {
  dnsStates,
  healthStates,
  hostnameLimits,
  hostnameRoles,
  hstsSteps,
  ownershipStates,
  recordStates,
  recordTypes,
  redirectCodes,
  tlsModes,
  tlsStates,
} from './terms';

/** One DNS record of a hostname: what it should be beside what resolvers say. */
export const RecordCheck = z.object({
  type: z.enum(recordTypes),
  /** Full name of the record, without a dot at its end. */
  name: z.string(),
  /** The name as DNS providers ask for it: relative to the registrable domain, `@` for the domain itself. */
  label: z.string(),
  expected: z.array(z.string()),
  found: z.array(z.string()),
  /** Values among `found` that lead elsewhere and have to be deleted. */
  conflicts: z.array(z.string()),
  state: z.enum(recordStates),
});
export type RecordCheck = z.infer<typeof RecordCheck>;

/** The request that proves that traffic for the hostname arrives here. `detail`: status or network error code. */
export const ProbeResult = z.object({ state: z.enum(['unknown', 'ok', 'wrong', 'unreachable']), detail: z.string() });
export type ProbeResult = z.infer<typeof ProbeResult>;

export const Certificate = z.object({
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  issuer: z.string(),
  names: z.array(z.string()),
  serial: z.string(),
});
export type Certificate = z.infer<typeof Certificate>;

export const Hsts = z.strictObject({ maxAge: z.literal(hstsSteps), subdomains: z.boolean(), preload: z.boolean() });

export const Hostname = z.object({
  id: rowId,
  /** As DNS has it: lower case, Punycode. */
  host: z.string(),
  /** As people read it; equals `host` for names in ASCII. */
  unicode: z.string(),
  /** The registrable domain. */
  apex: z.string(),
  role: z.enum(hostnameRoles),
  redirectCode: z.literal(redirectCodes),
  keepPath: z.boolean(),
  /** The hostname that this one redirects to; null: the primary one. */
  redirectTo: rowId.nullable(),
  forceHttps: z.boolean(),
  hsts: Hsts,
  ownership: z.enum(ownershipStates),
  dns: z.enum(dnsStates),
  tls: z.enum(tlsStates),
  health: z.enum(healthStates),
  /** Whether visitors get the site under this hostname. */
  served: z.boolean(),
  /** Only the TXT record proves ownership, because another site had the hostname or has one of the same domain. */
  contested: z.boolean(),
  /** Labels that mix scripts, or look like Latin letters: the name may be taken for another one. */
  lookAlike: z.boolean(),
  records: z.array(RecordCheck),
  probe: ProbeResult,
  certificate: Certificate.nullable(),
  /** Why there is no valid certificate; empty: no reason known. */
  tlsError: z.string(),
  /** Whether this program has a certificate that somebody uploaded. */
  uploaded: z.boolean(),
  checkedAt: z.iso.datetime().nullable(),
  /** null: not before somebody asks for it. */
  nextCheckAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  revision: z.int(),
});
export type Hostname = z.infer<typeof Hostname>;

export const Hostnames = z.object({
  /** The primary one first, then by name. */
  rows: z.array(Hostname),
  /** The address that the site has without any hostname; null: its pages are hosted elsewhere. */
  system: z.object({ host: z.string(), url: z.string() }).nullable(),
  tlsMode: z.enum(tlsModes),
  /** Whether the operator has said where the pages of sites arrive (`SITES_URL`), without which hostnames can only be prepared. */
  ready: z.boolean(),
});
export type Hostnames = z.infer<typeof Hostnames>;

export const HostnameInput = z.strictObject({
  /** A hostname, or an address that contains it. */
  host: z.string().trim().min(1).max(2000),
  /** Also adds the name with or without `www.`, which then redirects to this one. */
  withPair: z.boolean().default(false),
});
export type HostnameInput = z.input<typeof HostnameInput>;

/** At least one field. */
export const HostnameChange = z.strictObject({
  role: z.enum(['serve', 'redirect']).optional(),
  redirectCode: z.literal(redirectCodes).optional(),
  keepPath: z.boolean().optional(),
  redirectTo: rowId.nullable().optional(),
  forceHttps: z.boolean().optional(),
  hsts: Hsts.optional(),
  /** The hostname, typed again: required when `hsts.preload` is switched on, because it takes months to undo. */
  confirm: z.string().max(300).optional(),
});
export type HostnameChange = z.infer<typeof HostnameChange>;

/** PEM: the certificate first, then the intermediate ones; and its key, without a password. */
export const CertificateInput = z.strictObject({
  chain: z.string().trim().min(1).max(hostnameLimits.pemBytes),
  key: z.string().trim().min(1).max(hostnameLimits.pemBytes),
});
export type CertificateInput = z.infer<typeof CertificateInput>;

const P = z.object({ siteId: SiteId });
const R = z.object({ siteId: SiteId, id: rowId });
const write = { access: { site: 'site.compose' }, token: 'publishing:write' } as const;

export const hostnameEndpoints = {
  hostnames: endpoint(hostnameCalls.hostnames, {
    access: { site: 'site.read' },
    token: 'publishing:read',
    summary: 'Hostnames of a site, with what DNS and TLS say about each',
    params: P,
    response: Hostnames,
  }),
  addHostname: endpoint(hostnameCalls.addHostname, {
    ...write,
    summary: 'Add a hostname, and its pair with or without www if requested',
    params: P,
    body: HostnameInput,
    response: z.object({
      added: z.array(Hostname),
      /** Whether the input was an address, of which only the host was used. */
      reduced: z.boolean(),
    }),
    errors: ['host_taken', 'hosts_full', 'not_delivered', 'invalid_fields'],
  }),
  changeHostname: endpoint(hostnameCalls.changeHostname, {
    ...write,
    ifMatch: 'required',
    summary: 'Change the redirect and HTTPS settings of a hostname (If-Match: revision)',
    params: R,
    body: HostnameChange,
    response: Hostname,
    errors: ['not_found', 'stale_revision', 'bad_transition', 'confirm_mismatch', 'invalid_fields'],
  }),
  removeHostname: endpoint(hostnameCalls.removeHostname, {
    ...write,
    summary: 'Remove a hostname; for 90 days another site needs its TXT record to use it',
    params: R,
    errors: ['not_found'],
  }),
  checkHostname: endpoint(hostnameCalls.checkHostname, {
    ...write,
    summary: 'Check DNS, reachability and certificate now (once in ten seconds)',
    params: R,
    response: Hostname,
    errors: ['not_found', 'too_many_requests'],
  }),
  makePrimary: endpoint(hostnameCalls.makePrimary, {
    ...write,
    summary: 'Make a served hostname the main address; the one before keeps serving',
    params: R,
    response: Hostname,
    errors: ['not_found', 'bad_transition'],
  }),
  uploadCertificate: endpoint(hostnameCalls.uploadCertificate, {
    ...write,
    summary: 'Upload a certificate and its key, where this program serves HTTPS itself',
    params: R,
    body: CertificateInput,
    bodyLimit: 3 * hostnameLimits.pemBytes,
    response: Hostname,
    errors: ['not_found', 'tls_elsewhere', 'invalid_fields'],
  }),
  removeCertificate: endpoint(hostnameCalls.removeCertificate, {
    ...write,
    summary: 'Remove an uploaded certificate and its key',
    params: R,
    response: Hostname,
    errors: ['not_found'],
  }),
} as const;
