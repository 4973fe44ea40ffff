import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { rowId } from '../text';
import { Path, SiteParams, operate, read } from './common';
import { pushCalls } from './pushCalls';
import { pushEngines, pushStates, seoLimits } from './terms';

const DateTime = z.iso.datetime();

export const PushSettings = z.strictObject({
  indexnow: z.boolean(),
  /** Site as Baidu knows it; empty: off. */
  baiduSite: z.string().trim().max(253).default(''),
  /** null: the stored one stays. */
  baiduToken: z.string().trim().max(100).nullable().default(null),
  automatic: z.boolean().default(true),
});
const PushEntry = z.object({
  address: z.string(),
  engine: z.enum(pushEngines),
  state: z.enum(pushStates),
  status: z.int().nullable(),
  reason: z.string(),
  at: DateTime,
  attempts: z.int(),
});
const e = pushCalls;

export const pushEndpoints = {
  pushSettings: endpoint(e.pushSettings, {
    ...read,
    summary: 'Which search engines are told about changes',
    params: SiteParams,
    response: PushSettings.omit({ baiduToken: true }).extend({ hasToken: z.boolean(), keyUrl: z.string().nullable() }),
  }),
  changePushSettings: endpoint(e.changePushSettings, {
    access: { site: 'site.compose' },
    summary: 'Choose which search engines are told about changes',
    params: SiteParams,
    body: PushSettings,
    errors: ['invalid_fields', 'not_delivered'],
  }),
  pushLedger: endpoint(e.pushLedger, {
    ...read,
    summary: 'Addresses that search engines were told, the newest first',
    params: SiteParams,
    query: z.object({ ...pageQuery, engine: z.enum(pushEngines).optional(), state: z.enum(pushStates).optional(), q: z.string().max(200).optional() }),
    response: Page(PushEntry),
  }),
  pushNow: endpoint(e.pushNow, {
    ...operate,
    summary: 'Tell search engines about pages now',
    params: SiteParams,
    body: z.strictObject({ engine: z.enum(pushEngines), paths: z.array(Path).min(1).max(seoLimits.pushBatch) }),
    bodyLimit: 8 * 1024 ** 2,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'conflict'],
    ratePerMinute: 10,
  }),
} as const;
