import { z } from 'zod';
import { ReportQuery } from './report';
import { deviceTypes, sourceTypes } from './terms';

export const BotVerdict = z.enum(['human', 'suspected', 'bot']);
export const VisitPage = z.object({
  pageId: z.string(),
  at: z.number(),
  path: z.string(),
  title: z.string(),
  engagedMs: z.number(),
  scroll: z.int(),
  events: z.int(),
});
export const VisitRow = z.object({
  visitId: z.string(),
  /** Short public form of the visitor's id. */
  visitor: z.string(),
  start: z.number(),
  last: z.number(),
  online: z.boolean(),
  isNew: z.boolean(),
  visitNo: z.int(),
  country: z.string(),
  province: z.string(),
  city: z.string(),
  isp: z.string(),
  /** Masked in its last part: 203.0.113.x */
  address: z.string(),
  sourceType: z.enum(sourceTypes),
  sourceName: z.string(),
  keyword: z.string(),
  referrer: z.string(),
  deviceType: z.enum(deviceTypes),
  os: z.string(),
  browser: z.string(),
  screen: z.string(),
  language: z.string(),
  entryPath: z.string(),
  exitPath: z.string(),
  views: z.int(),
  events: z.int(),
  durationMs: z.number(),
  engagedMs: z.number(),
  verdict: BotVerdict,
  botReasons: z.array(z.string()),
  pages: z.array(VisitPage),
});
export type VisitRow = z.infer<typeof VisitRow>;

export const PageEvents = z.object({
  visit: VisitRow,
  pageId: z.string(),
  previous: z.string().nullable(),
  next: z.string().nullable(),
  events: z.array(
    z.object({
      seq: z.int(),
      at: z.number(),
      kind: z.enum(['view', 'event', 'engage']),
      name: z.string(),
      url: z.string(),
      title: z.string(),
      engagedMs: z.number(),
      scroll: z.int(),
      props: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type PageEvents = z.infer<typeof PageEvents>;

export const LatestQuery = ReportQuery.pick({ filter: true, who: true, segment: true }).extend({
  /** First and last day (inclusive, in the site's zone) on which listed visits began; both or neither. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  cursor: z.string().max(60).optional(),
  size: z.coerce.number().int().min(1).max(100).default(30),
});
/** Filters of "online now": the same as those of the list of visits below it. */
export const OnlineQuery = LatestQuery.pick({ filter: true, who: true, segment: true });
export const Online = z.object({ online: z.int(), perMinute: z.array(z.object({ at: z.number(), views: z.int(), visitors: z.int() })) });
export type Online = z.infer<typeof Online>;

export const installFindings = [
  'tag_found',
  'tag_missing',
  'tag_twice',
  'wrong_site_id',
  'not_reachable',
  'bad_status',
  'not_html',
  'csp_blocks_script',
  'csp_blocks_connect',
  'address_refused',
  'no_url',
  'redirects_elsewhere',
  'hits_refused',
  'mixed_content',
  'script_not_loaded',
  'script_loaded_no_hit',
] as const;
export const Install = z.object({
  /** The HTML element to insert before </head>. */
  tag: z.string(),
  firstHitAt: z.number().nullable(),
  lastHitAt: z.number().nullable(),
  /** Number of requests for /t.js for this site since the program started (by Referer), and the time of the last one. */
  scriptLoads: z.int(),
  refusals: z.array(z.object({ code: z.string(), count: z.int(), lastAt: z.number(), host: z.string() })),
  hosts: z.array(z.object({ host: z.string(), lastAt: z.number() })),
});
export type Install = z.infer<typeof Install>;
export const InstallCheck = z.object({
  url: z.string().nullable(),
  at: z.number(),
  findings: z.array(z.object({ code: z.enum(installFindings), level: z.enum(['good', 'warning', 'bad']), detail: z.string() })),
});
export type InstallCheck = z.infer<typeof InstallCheck>;
