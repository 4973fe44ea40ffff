import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { rowId } from '../text';
import { Path, SiteParams, figures, operate, read } from './common';
import { pushCalls } from './pushCalls';
import { keywordSources, pushEngines, pushStates, seoLimits, verificationMethods, verificationServices } from './terms';

const DateTime = z.iso.datetime();

export const Verification = z.object({
  id: rowId,
  service: z.enum(verificationServices),
  method: z.enum(verificationMethods),
  /** Name of the file, or of the meta element. */
  name: z.string(),
  content: z.string(),
  /** Whether it was found when the program requested it last. */
  delivered: z.boolean().nullable(),
  checkedAt: DateTime.nullable(),
});
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
const Keyword = z.object({
  query: z.string(),
  page: z.string().nullable(),
  clicks: z.int(),
  impressions: z.int(),
  position: z.number().nullable(),
  change: z.number().nullable(),
  visits: z.int().nullable(),
});

const R = SiteParams.extend({ id: rowId });
const KeywordFile = z.strictObject({ content: z.base64().max(28_000_000) });
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
  verifications: endpoint(e.verifications, {
    ...read,
    summary: 'Proofs of ownership that services look for',
    params: SiteParams,
    response: z.object({ rows: z.array(Verification) }),
  }),
  addVerification: endpoint(e.addVerification, {
    ...operate,
    summary: 'Add a proof of ownership; a pasted meta element is understood',
    params: SiteParams,
    body: z.strictObject({
      service: z.enum(verificationServices),
      method: z.enum(verificationMethods),
      name: z.string().trim().max(120).default(''),
      content: z.string().trim().min(1).max(2000),
    }),
    response: Verification,
    errors: ['invalid_fields', 'conflict'],
  }),
  removeVerification: endpoint(e.removeVerification, { ...operate, summary: 'Remove a proof of ownership', params: R, errors: ['not_found'] }),
  seoKeywords: endpoint(e.seoKeywords, {
    ...figures,
    summary: 'Queries with position, clicks and pages',
    params: SiteParams,
    query: z.object({
      ...pageQuery,
      source: z.enum(keywordSources).optional(),
      q: z.string().max(200).optional(),
      path: Path.optional(),
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
    }),
    response: Page(Keyword),
  }),
  importSeoKeywords: endpoint(e.importSeoKeywords, {
    access: { site: 'analytics.configure' },
    token: 'analytics:write',
    summary: 'Import a file of queries of a search engine',
    params: SiteParams,
    body: KeywordFile.extend({ source: z.enum(keywordSources), name: z.string().max(200) }),
    bodyLimit: 28_000_000,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
  }),
} as const;
