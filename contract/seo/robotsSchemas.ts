import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { safeText } from '../text';
import { SiteParams, figures, operate, read } from './common';
import { robotsCalls } from './robotsCalls';
import { robotsClosures, robotsProblems, robotsToAccept, seoLimits } from './terms';

const DateTime = z.iso.datetime();
const Accepted = z.array(z.enum(robotsToAccept)).default([]);
const Problem = z.object({ code: z.enum(robotsProblems), line: z.int().nullable() });
const e = robotsCalls;

const Robots = z.object({
  /** 0: never edited. */
  revision: z.int(),
  /** Without the lines of the program. */
  text: z.string(),
  /** As crawlers get it. */
  delivered: z.string(),
  /** Why crawlers get a closed file instead, or one of another server; null: they get this one. */
  closedBy: z.enum(robotsClosures).nullable(),
  problems: z.array(Problem),
  changedAt: DateTime.nullable(),
  changedBy: z.string().nullable(),
});
export type Robots = z.infer<typeof Robots>;
const RobotsVersion = z.object({
  version: z.int(),
  text: z.string(),
  note: z.string(),
  at: DateTime,
  by: z.string().nullable(),
  /** Known addresses that it closed and opened; null: they could not be compared. */
  blocked: z.int().nullable(),
  opened: z.int().nullable(),
});
export type RobotsVersion = z.infer<typeof RobotsVersion>;
const ChangedAddress = z.object({
  path: z.string(),
  title: z.string(),
  visits: z.int(),
  change: z.enum(['blocked', 'opened']),
  agent: z.string(),
  /** Of the rule that decides in the other file. */
  line: z.int().nullable(),
});
export const RobotsWhatIf = z.object({
  known: z.int(),
  /** Addresses that would no longer be allowed, and those that would be again. */
  blocked: z.int(),
  blockedWithVisits: z.int(),
  opened: z.int(),
  /** With the most visits first. */
  examples: z.array(ChangedAddress).max(seoLimits.whatIfExamples),
  problems: z.array(Problem),
});
export type RobotsWhatIf = z.infer<typeof RobotsWhatIf>;

export const robotsEndpoints = {
  robots: endpoint(e.robots, { ...read, summary: 'robots.txt of a site', params: SiteParams, response: Robots }),
  changeRobots: endpoint(e.changeRobots, {
    ...operate,
    ifMatch: 'required',
    summary: 'Change robots.txt; it acts at once (If-Match: revision)',
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
    response: Page(RobotsVersion),
  }),
  restoreRobots: endpoint(e.restoreRobots, {
    ...operate,
    summary: 'Save an earlier robots.txt again, as a new version',
    params: SiteParams.extend({ version: z.coerce.number().int().min(1) }),
    body: z.strictObject({ accepted: Accepted }),
    response: Robots,
    errors: ['not_found', 'confirm_mismatch', 'not_delivered'],
  }),
  robotsWhatIf: endpoint(e.robotsWhatIf, {
    ...figures,
    summary: 'Which known addresses another robots.txt would close or open',
    params: SiteParams,
    body: z.strictObject({ text: z.string().max(seoLimits.robots), agent: z.string().trim().min(1).max(100).optional() }),
    bodyLimit: 4 * seoLimits.robots,
    response: RobotsWhatIf,
    errors: ['analytics_unavailable'],
    ratePerMinute: 30,
  }),
} as const;
