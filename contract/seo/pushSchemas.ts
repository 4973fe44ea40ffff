import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { SiteParams, operate, read } from './common';
import { pushCalls } from './pushCalls';
import { pushEngines, pushKinds, pushReasons, pushStates, seoLimits } from './terms';

const DateTime = z.iso.datetime();

export const PushSettingsInput = z.strictObject({
  indexnow: z.boolean(),
  baidu: z.boolean(),
  /** The site as Baidu knows it: a host, with or without its scheme. */
  baiduSite: z
    .string()
    .trim()
    .max(253)
    .regex(/^(?:https?:\/\/)?[\w.-]+(?::\d{1,5})?\/?$|^$/, 'not_a_host')
    .default(''),
  /** null: the stored one stays. */
  baiduToken: z.string().trim().max(100).regex(/^\w*$/, 'pattern').nullable().default(null),
  /** Whether pages are pushed when their content has changed; otherwise only by hand. */
  automatic: z.boolean(),
});
export type PushSettingsInput = z.input<typeof PushSettingsInput>;

const EngineStatus = z.object({
  engine: z.enum(pushEngines),
  on: z.boolean(),
  waiting: z.int(),
  sentToday: z.int(),
  /** Addresses that the engine still takes today, as it said last; null: unknown. */
  remaining: z.int().nullable(),
  /** Why nothing is sent at present; null: nothing is wrong. */
  problem: z.enum(pushReasons).nullable(),
  /** When the next attempt follows; null: at once, or not before somebody changes the settings. */
  pausedUntil: DateTime.nullable(),
});
export const PushStatus = z.object({
  indexnow: z.boolean(),
  baidu: z.boolean(),
  baiduSite: z.string(),
  hasToken: z.boolean(),
  automatic: z.boolean(),
  /** Address of the key of IndexNow; null: there is none yet. */
  keyUrl: z.string().nullable(),
  /** Whether search engines may index the site; nothing is pushed otherwise. */
  indexed: z.boolean(),
  engines: z.array(EngineStatus),
  /** When changed pages are looked for; null: nothing has changed. */
  nextScanAt: DateTime.nullable(),
});
export type PushStatus = z.infer<typeof PushStatus>;

export const PushEntry = z.object({
  id: z.string(),
  address: z.string(),
  engine: z.enum(pushEngines),
  kind: z.enum(pushKinds),
  state: z.enum(pushStates),
  /** HTTP status of the last response; null: none. */
  status: z.int().nullable(),
  reason: z.enum(pushReasons).nullable(),
  attempts: z.int(),
  createdAt: DateTime,
  sentAt: DateTime.nullable(),
});
export type PushEntry = z.infer<typeof PushEntry>;

export const PushTest = z.object({
  ok: z.boolean(),
  address: z.string(),
  status: z.int().nullable(),
  reason: z.enum(pushReasons).nullable(),
  remaining: z.int().nullable(),
});
export type PushTest = z.infer<typeof PushTest>;

export const pushEndpoints = {
  pushSettings: endpoint(pushCalls.pushSettings, { ...read, summary: 'Which search engines are told about changes', params: SiteParams, response: PushStatus }),
  changePushSettings: endpoint(pushCalls.changePushSettings, {
    access: { site: 'site.compose' },
    summary: 'Choose which search engines are told about changes',
    params: SiteParams,
    body: PushSettingsInput,
    response: PushStatus,
    errors: ['invalid_fields', 'not_delivered'],
  }),
  testPush: endpoint(pushCalls.testPush, {
    ...operate,
    summary: 'Push the home page to a search engine and return its response',
    params: SiteParams,
    body: z.strictObject({ engine: z.enum(pushEngines) }),
    response: PushTest,
    errors: ['conflict', 'not_delivered'],
    ratePerMinute: 6,
  }),
  pushLedger: endpoint(pushCalls.pushLedger, {
    ...read,
    summary: 'Addresses that search engines were told or will be, the newest first',
    params: SiteParams,
    query: z.object({ ...pageQuery, engine: z.enum(pushEngines).optional(), state: z.enum(pushStates).optional(), q: z.string().max(200).optional() }),
    response: Page(PushEntry),
  }),
  pushNow: endpoint(pushCalls.pushNow, {
    ...operate,
    summary: 'Push addresses of the site, whole or from their path on',
    params: SiteParams,
    body: z.strictObject({ engine: z.enum(pushEngines), addresses: z.array(z.string().trim().min(1).max(2000)).min(1).max(seoLimits.pushBatch) }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({
      queued: z.int(),
      /** Addresses that do not belong to the site. */
      refused: z.array(z.string()),
    }),
    errors: ['conflict', 'not_delivered'],
    ratePerMinute: 10,
  }),
} as const;
