import { z } from 'zod';
import { uptimeCalls } from './calls';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { safeText } from '../text';

/** Monitoring of sites: the worker requests each site periodically to find out whether it can be reached. */

export const uptimeStates = ['up', 'down', 'unknown'] as const;
/** Minutes between two checks. */
export const uptimeIntervals = [1, 5, 15] as const;
/** Days before the expiry of a certificate on which contacts are notified. */
export const certificateWarningDays = [21, 7, 1] as const;
/** Days for which incidents are stored. */
export const incidentDays = 90;

/** Why a check failed. */
export const uptimeFailures = ['dns', 'refused', 'timeout', 'tls', 'network', 'redirects', 'status', 'keyword'] as const;
export type UptimeFailure = (typeof uptimeFailures)[number];
/**
 * Why the state is unknown.
 *
 * pending          not checked yet
 * overdue          the last check is too long ago: no worker is running, or the site is not checked (archived, in maintenance, behind a password)
 * private_address  the name resolves to an address in the machine's own network, which is never requested
 */
export const uptimeGaps = ['pending', 'overdue', 'private_address'] as const;

export const UptimeStatus = z.object({
  siteId: SiteId,
  enabled: z.boolean(),
  state: z.enum(uptimeStates),
  /** Time since which the site is in this state; null while it is unknown. */
  since: z.iso.datetime().nullable(),
  /** null while the site is up. */
  reason: z.enum([...uptimeFailures, ...uptimeGaps]).nullable(),
  /** The status or the error code behind the reason, such as `503` or `ECONNRESET`. */
  detail: z.string(),
  checkedAt: z.iso.datetime().nullable(),
  /** Response time, redirects included. */
  responseMs: z.int().nullable(),
  certificateExpiresAt: z.iso.datetime().nullable(),
});
export type UptimeStatus = z.infer<typeof UptimeStatus>;

export const UptimeIncident = z.object({
  id: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  reason: z.enum(uptimeFailures),
  detail: z.string(),
});
export type UptimeIncident = z.infer<typeof UptimeIncident>;

const fields = {
  enabled: z.boolean(),
  intervalMinutes: z.literal(uptimeIntervals),
  /** Path and query to request; empty for the site's own address. */
  path: z
    .string()
    .trim()
    .max(1000)
    .regex(/^(?:\/[^\s#]*)?$/),
  /** Expected status after redirects; null accepts any status from 200 to 299. */
  expectedStatus: z.int().min(100).max(599).nullable(),
  /** Text that the first 64 kB of the response must contain; empty for none. */
  keyword: safeText(200),
};
export const UptimeInput = z.strictObject(fields);
export type UptimeInput = z.output<typeof UptimeInput>;

export const UptimeSettings = z.object({
  ...fields,
  /** The site's address, which `path` is relative to. */
  address: z.string(),
  /** Number of contacts subscribed to this site's availability. */
  recipients: z.int(),
  /** Number of people who may see the site: incidents appear behind their bell. */
  people: z.int(),
  /** Whether this installation can send mail. */
  mail: z.boolean(),
  revision: z.int(),
});
export type UptimeSettings = z.infer<typeof UptimeSettings>;

const Params = z.object({ siteId: SiteId });
export const uptimeEndpoints = {
  uptimeStatuses: endpoint(uptimeCalls.uptimeStatuses, {
    access: 'session',
    token: 'site:read',
    summary: 'Availability of every site of the start-up load that is monitored',
    response: z.array(UptimeStatus),
  }),
  uptime: endpoint(uptimeCalls.uptime, {
    access: { site: 'site.read' },
    token: 'site:read',
    summary: 'Availability of a site: up, down or unknown, since when, and when its certificate expires',
    params: Params,
    response: UptimeStatus,
  }),
  uptimeIncidents: endpoint(uptimeCalls.uptimeIncidents, {
    access: { site: 'site.read' },
    token: 'site:read',
    summary: 'When the site was down in the last 90 days and why, latest first, a page at a time by cursor',
    params: Params,
    query: z.object({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.object({ rows: z.array(UptimeIncident), next: z.string().nullable() }),
  }),
  uptimeSettings: endpoint(uptimeCalls.uptimeSettings, {
    access: { site: 'site.rename' },
    token: 'site:read',
    summary: 'Whether and how the site is monitored, and how many contacts are notified',
    params: Params,
    response: UptimeSettings,
  }),
  changeUptime: endpoint(uptimeCalls.changeUptime, {
    ifMatch: 'required',
    access: { site: 'site.rename' },
    token: 'site:write',
    summary: 'Change whether and how the site is monitored (If-Match: revision)',
    params: Params,
    body: UptimeInput,
    response: UptimeSettings,
    errors: ['stale_revision', 'invalid_fields'],
  }),
} as const;
