import { z } from 'zod';
import { digestCalls } from './calls';
import { endpoint } from '../endpoint';
import type { FieldCode } from '../errors';
import { SiteId } from '../sites/schemas';

export const alertMeasures = ['visitors', 'visits', 'views'] as const;
export const alertWindows = ['hour', 'day'] as const;
export const alertDirections = ['spike', 'drop'] as const;

/** A drop cannot exceed 100 %: such a rule would never fire. */
export const canFire = ({ direction, percent }: { readonly direction: (typeof alertDirections)[number]; readonly percent: number }): boolean =>
  direction !== 'drop' || percent <= 100;
export const cannotFire = { path: ['percent'], message: 'out_of_range' satisfies FieldCode };

/**
 * A rule that notifies the people and contacts of a site. It compares an hour, or a day, of the site's zone with the mean of the same hour (day) of the same weekday in the four weeks
 * before, of which at least two must have had visits. It fires once per window, when the difference is at least `percent` of that mean and at least `least` in
 * number; for `drop`, 100 means no traffic at all.
 */
export const AlertRule = z
  .strictObject({
    measure: z.enum(alertMeasures),
    window: z.enum(alertWindows),
    direction: z.enum(alertDirections),
    percent: z.int().min(10).max(10_000),
    least: z.int().min(1).max(1_000_000_000),
  })
  .refine(canFire, cannotFire);
export type AlertRule = z.infer<typeof AlertRule>;
export const mostRules = 20;

/** Messages sent about a site, newest first. `period`: the days or the wall-clock hour of the site's zone that the message covers. */
export const SentDigest = z.object({
  id: z.string(),
  kind: z.enum(['weekly', 'monthly', 'alert']),
  period: z.string(),
  at: z.iso.datetime(),
  /** Number of messages sent, for alerts including notices behind the bell; 0 when there is nobody to get one. */
  sent: z.int(),
  /** For alerts: the rule, and the figures that triggered it. */
  rule: AlertRule.nullable(),
  value: z.int().nullable(),
  usual: z.int().nullable(),
});
export type SentDigest = z.infer<typeof SentDigest>;

export const Digests = z.object({
  weekly: z.boolean(),
  monthly: z.boolean(),
  /** Hour of the site's zone at which reports are sent: on Mondays, and on the first of a month. */
  hour: z.int(),
  rules: z.array(AlertRule),
  /** Number of contacts subscribed for this site to the topics `report` and `traffic`. */
  hearers: z.object({ report: z.int(), traffic: z.int() }),
  /** Number of people who may read the reports of the site: alerts appear behind their bell. */
  people: z.int(),
  /** Whether this installation can send mail. */
  mail: z.boolean(),
  sent: z.array(SentDigest),
  revision: z.int(),
});
export type Digests = z.infer<typeof Digests>;

export const DigestChange = z.strictObject({
  weekly: z.boolean(),
  monthly: z.boolean(),
  hour: z.int().min(0).max(23),
  rules: z.array(AlertRule).max(mostRules),
});
export type DigestChange = z.input<typeof DigestChange>;

/** Preview of the report in the reader's language, with current figures. */
export const DigestPreview = z.object({
  subject: z.string(),
  paragraphs: z.array(z.string()),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type DigestPreview = z.infer<typeof DigestPreview>;

const Params = z.object({ siteId: SiteId });
const kind = z.enum(['weekly', 'monthly']);
export const digestEndpoints = {
  digests: endpoint(digestCalls.digests, {
    access: { site: 'analytics.configure' },
    summary: 'Reports by mail and traffic alerts of the site, and what was sent',
    params: Params,
    response: Digests,
  }),
  changeDigests: endpoint(digestCalls.changeDigests, {
    ifMatch: 'required',
    access: { site: 'analytics.configure' },
    summary: 'Change them',
    params: Params,
    body: DigestChange,
    response: Digests,
    errors: ['stale_revision'],
  }),
  previewDigest: endpoint(digestCalls.previewDigest, {
    access: { site: 'analytics.configure' },
    summary: 'The last whole week or month as a letter',
    params: Params,
    query: z.object({ kind }),
    response: DigestPreview,
    errors: ['analytics_unavailable'],
  }),
  sendDigest: endpoint(digestCalls.sendDigest, {
    access: { site: 'analytics.configure' },
    summary: 'Send the last whole week or month to the contacts now',
    params: Params,
    body: z.strictObject({ kind }),
    response: z.object({ sent: z.int() }),
    errors: ['analytics_unavailable'],
    ratePerMinute: 5,
  }),
} as const;
