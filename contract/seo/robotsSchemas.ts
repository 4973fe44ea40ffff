import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { safeText } from '../text';
import { SiteParams, figures, operate, read } from './common';
import { robotsCalls } from './robotsCalls';
import { robotsProblems, seoLimits } from './terms';

const DateTime = z.iso.datetime();
const Accepted = z.array(z.enum(robotsProblems)).default([]);
const e = robotsCalls;

const Robots = z.object({
  version: z.int(),
  /** Without the lines of the program. */
  text: z.string(),
  /** As crawlers get it. */
  delivered: z.string(),
  problems: z.array(z.object({ code: z.enum(robotsProblems), line: z.int().nullable() })),
  changedAt: DateTime.nullable(),
  changedBy: z.string().nullable(),
});
export const RobotsWhatIf = z.object({
  known: z.int(),
  /** Addresses that would no longer be allowed, and those that would be again. */
  blocked: z.int(),
  blockedWithVisits: z.int(),
  opened: z.int(),
  examples: z.array(z.object({ address: z.string(), visits: z.int(), line: z.int().nullable(), change: z.enum(['blocked', 'opened']) })).max(200),
  problems: z.array(z.object({ code: z.enum(robotsProblems), line: z.int().nullable() })),
});

export const robotsEndpoints = {
  robots: endpoint(e.robots, { ...read, summary: 'robots.txt of a site', params: SiteParams, response: Robots }),
  changeRobots: endpoint(e.changeRobots, {
    ...operate,
    ifMatch: 'required',
    summary: 'Change robots.txt; it acts at once (If-Match: version)',
    params: SiteParams,
    body: z.strictObject({ text: z.string().max(seoLimits.robots), note: safeText(200).default(''), accepted: Accepted }),
    bodyLimit: 4 * seoLimits.robots,
    response: Robots,
    errors: ['stale_revision', 'invalid_fields', 'confirm_mismatch', 'not_delivered'],
  }),
  robotsVersions: endpoint(e.robotsVersions, {
    ...read,
    summary: 'Versions of robots.txt, the newest first',
    params: SiteParams,
    query: z.object(pageQuery),
    response: Page(z.object({ version: z.int(), text: z.string(), note: z.string(), at: DateTime, by: z.string().nullable() })),
  }),
  restoreRobots: endpoint(e.restoreRobots, {
    ...operate,
    summary: 'Save an earlier robots.txt again, as a new version',
    params: SiteParams.extend({ version: z.coerce.number().int().min(1) }),
    body: z.strictObject({ accepted: Accepted }),
    response: Robots,
    errors: ['not_found', 'confirm_mismatch'],
  }),
  robotsWhatIf: endpoint(e.robotsWhatIf, {
    ...figures,
    summary: 'Which known addresses another robots.txt would close or open',
    params: SiteParams,
    body: z.strictObject({ text: z.string().max(seoLimits.robots), agent: z.string().trim().min(1).max(100).default('*') }),
    bodyLimit: 4 * seoLimits.robots,
    response: RobotsWhatIf,
    errors: ['invalid_fields', 'analytics_unavailable'],
    ratePerMinute: 30,
  }),
} as const;
