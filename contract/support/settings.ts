import { z } from 'zod';
import { LocaleTag, rowId, safeName, safeText } from '../text';
import { parseUrl } from '../parseUrl';
import {
  awayPolicies,
  blockKinds,
  contrastOf,
  conversationLists,
  launcherSides,
  prechatFields,
  prechatTimes,
  shortcutPattern,
  supportFileKinds,
  supportLimits as limits,
  supportModes,
  supportWebhookKinds,
} from './terms';

const moment = z.iso.datetime();
const bytes = (text: string): number => new TextEncoder().encode(text).length;
/** Wall-clock time; `24:00` only closes. */
const opens = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const closes = z.string().regex(/^(?:([01]\d|2[0-3]):[0-5]\d|24:00)$/);

/** Texts of the widget in one language; an empty one is replaced by the default of that language. */
export const SupportTexts = z.strictObject({
  title: safeText(60).default(''),
  greeting: safeText(500).default(''),
  launcher: safeText(30).default(''),
  offlineTitle: safeText(60).default(''),
  offlineText: safeText(500).default(''),
  /** After the form was sent. */
  sent: safeText(300).default(''),
  /** Above the first message. */
  consent: safeText(500).default(''),
  /** Of the invitation. */
  invite: safeText(300).default(''),
});
export type SupportTexts = z.output<typeof SupportTexts>;

const hours = z.strictObject({
  timeZone: z.string().max(64),
  /** Open at all times; `week` is ignored. */
  always: z.boolean().default(true),
  /** 1: Monday. Overnight hours are two rows. */
  week: z
    .array(z.strictObject({ day: z.int().min(1).max(7), open: opens, close: closes }))
    .max(28)
    .default([])
    .superRefine((rows, ctx) => {
      for (const [i, row] of rows.entries()) {
        if (row.close <= row.open) ctx.addIssue({ code: 'custom', path: [i, 'close'], message: 'out_of_range' });
        const sameDay = rows.filter((other, j) => j !== i && other.day === row.day);
        if (sameDay.length > 3) ctx.addIssue({ code: 'custom', path: [i, 'day'], message: 'too_long' });
        if (sameDay.some((other) => other.open < row.close && row.open < other.close))
          ctx.addIssue({ code: 'custom', path: [i, 'open'], message: 'duplicate' });
      }
    }),
  holidays: z
    .array(z.strictObject({ date: z.iso.date(), label: safeText(60).default('') }))
    .max(limits.holidays)
    .default([]),
});

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i)
  .toLowerCase()
  .refine((value) => Math.max(contrastOf(value, '#ffffff'), contrastOf(value, '#000000')) >= limits.contrast, 'out_of_range');

const brand = z.strictObject({
  /** Of those who answer; empty: the site's name. */
  name: safeText(limits.name).default(''),
  color: color.default('#1f6feb'),
  side: z.enum(launcherSides).default('right'),
  /** Distance from the edges, in pixels. */
  offset: z.int().min(0).max(200).default(20),
  zIndex: z.int().min(0).max(2_147_483_647).default(2_147_483_000),
});

const SupportTopic = z.strictObject({
  /** In the site's default language, for agents and for visitors whose languages have no label. */
  name: safeName(limits.topicName),
  /** By language. */
  label: z.partialRecord(LocaleTag, safeText(limits.topicName)).default({}),
});
export type SupportTopic = z.output<typeof SupportTopic>;

const prechat = z.strictObject({
  when: z.enum(prechatTimes).default('never'),
  fields: z
    .array(
      z.strictObject({
        field: z.enum(prechatFields),
        required: z.boolean().default(false),
        /** By language; empty: the usual name of the field. Fields `custom…` need one. */
        label: z.partialRecord(LocaleTag, safeText(60)).default({}),
      }),
    )
    .max(prechatFields.length)
    .default([
      { field: 'name', required: false, label: {} },
      { field: 'email', required: true, label: {} },
    ])
    .superRefine((fields, ctx) => {
      for (const [i, { field, label }] of fields.entries()) {
        if (fields.findIndex((other) => other.field === field) !== i) ctx.addIssue({ code: 'custom', path: [i, 'field'], message: 'duplicate' });
        if (field.startsWith('custom') && !Object.values(label).some(Boolean)) ctx.addIssue({ code: 'custom', path: [i, 'label'], message: 'required' });
      }
    }),
  /** Offered for the field `topic`; none: free text. */
  topics: z
    .array(SupportTopic)
    .max(limits.topics)
    .default([])
    .superRefine((topics, ctx) => {
      for (const [i, { name, label }] of topics.entries())
        for (const other of topics.slice(0, i)) {
          if (other.name === name) ctx.addIssue({ code: 'custom', path: [i, 'name'], message: 'duplicate' });
          for (const [language, text] of Object.entries(label))
            if (text !== '' && other.label[language] === text) ctx.addIssue({ code: 'custom', path: [i, 'label', language], message: 'duplicate' });
        }
    }),
});

/** Path pattern: `*` matches any number of characters. */
const pattern = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\/\S*$/);
const patterns = z.array(pattern).max(limits.pagePatterns).default([]);
const webAddress = z.union([z.url({ protocol: /^https?$/ }).max(500), z.literal('')]);

/** Fields that input and response share. */
const fields = {
  mode: z.enum(supportModes).default('off'),
  /** Embed code of an external service, inserted into pages unchanged in the mode `external`. */
  externalCode: z
    .string()
    .refine((code) => bytes(code) <= limits.externalCode, 'too_long')
    .default(''),
  brand: brand.prefault({}),
  texts: z
    .partialRecord(LocaleTag, SupportTexts)
    .default({})
    .superRefine((texts, ctx) => {
      for (const [language, text] of Object.entries(texts))
        if (bytes(JSON.stringify(text)) > limits.texts) ctx.addIssue({ code: 'custom', path: [language], message: 'too_long' });
    }),
  hours,
  awayPolicy: z.enum(awayPolicies).default('form'),
  /** Whether visitors are answered only while an agent is online. */
  needsAgent: z.boolean().default(false),
  prechat: prechat.prefault({}),
  /** Pages with the widget; no pattern: all. */
  pages: z.strictObject({ include: patterns, exclude: patterns }).prefault({}),
  /** Languages of pages with the widget; none: all. */
  languages: z.array(LocaleTag).max(50).default([]),
  files: z
    .strictObject({
      enabled: z.boolean().default(true),
      megabytes: z.int().min(limits.fileMegabytes.least).max(limits.fileMegabytes.most).default(5),
      kinds: z
        .array(z.enum(supportFileKinds))
        .max(supportFileKinds.length)
        .default([...supportFileKinds]),
    })
    .prefault({}),
  rating: z.boolean().default(true),
  /** Minutes of the site's hours within which visitors should have an answer; who waits longer is overdue. */
  replyMinutes: z.int().min(limits.replyMinutes.least).max(limits.replyMinutes.most).default(limits.replyMinutes.usual),
  privacyUrl: webAddress.default(''),
  retentionDays: z.int().min(limits.retentionDays.least).max(limits.retentionDays.most).default(limits.retentionDays.usual),
  notify: z
    .strictObject({
      /** Contacts who subscribe to the topic `support`. */
      contacts: z.boolean().default(true),
      /** Seconds that an agent has to read a message before others are notified. */
      delaySeconds: z.int().min(0).max(limits.notifyDelay.most).default(limits.notifyDelay.usual),
      /** Whether agents, contacts and the webhook are notified when `replyMinutes` have passed without an answer. */
      overdue: z.boolean().default(true),
      webhook: z
        .strictObject({ kind: z.enum(supportWebhookKinds), url: z.url({ protocol: /^https?$/ }).max(500) })
        .nullable()
        .default(null),
    })
    .prefault({}),
  invite: z
    .strictObject({
      enabled: z.boolean().default(false),
      afterSeconds: z.int().min(1).max(3600).default(20),
      path: z.union([pattern, z.literal('')]).default(''),
    })
    .prefault({}),
  /** Origins of pages hosted elsewhere, besides the site's own hostnames. */
  origins: z
    .array(
      z
        .url({ protocol: /^https?$/ })
        .max(260)
        .refine((url) => parseUrl(url)?.origin === url, 'not_a_url'),
    )
    .max(limits.origins)
    .default([]),
};

/** Stored settings may omit `hours.timeZone`, which defaults to the time zone of the site. */
export const SupportSettingsInput = z.strictObject({
  ...fields,
  /** Signs webhook requests (`json`, Feishu, DingTalk). Omit it to leave the stored secret unchanged; an empty string removes it. */
  webhookSecret: z.string().trim().max(200).optional(),
});
export type SupportSettingsInput = z.output<typeof SupportSettingsInput>;
export type StoredSupportSettings = Omit<SupportSettingsInput, 'webhookSecret'>;

export const SupportSettings = z.object({
  ...fields,
  hasWebhookSecret: z.boolean(),
  /** Number of contacts who would be notified. */
  recipients: z.int(),
  mail: z.boolean(),
  revision: z.int(),
});
export type SupportSettings = z.infer<typeof SupportSettings>;

export const CannedReplyInput = z.strictObject({
  shortcut: z.string().trim().regex(shortcutPattern, 'pattern'),
  title: safeName(limits.name),
  body: safeText(limits.cannedBody).pipe(z.string().min(1)),
  /** `site`: for every agent. */
  scope: z.enum(['site', 'mine']).default('mine'),
});
export type CannedReplyInput = z.output<typeof CannedReplyInput>;
export const CannedReply = CannedReplyInput.extend({ id: rowId, uses: z.int(), lastUsedAt: moment.nullable(), revision: z.int() });
export type CannedReply = z.infer<typeof CannedReply>;

export const SupportBlockInput = z.strictObject({
  kind: z.enum(blockKinds),
  /** An address or a range such as `203.0.113.0/24`, the id of a visitor, or an e-mail address. */
  value: z.string().trim().min(1).max(254),
  reason: safeText(200).default(''),
  /** null: for good. */
  until: moment.nullable().default(null),
});
export type SupportBlockInput = z.output<typeof SupportBlockInput>;
export const SupportBlock = SupportBlockInput.extend({
  id: rowId,
  /** Name of a blocked visitor; else empty. */
  name: z.string(),
  createdAt: moment,
  by: z.string(),
});
export type SupportBlock = z.infer<typeof SupportBlock>;

/** Seconds within which half and nine tenths of `count` conversations got there; null: there are none. */
const Durations = z.object({ median: z.int().nullable(), p90: z.int().nullable(), count: z.int() });
export const Statistics = z.object({
  started: z.int(),
  resolved: z.int(),
  /** Not answered yet, or never. */
  unanswered: z.int(),
  /** Notes and events included. */
  messages: z.int(),
  firstReply: Durations,
  resolution: Durations,
  rating: z.object({ average: z.number().nullable(), counts: z.array(z.int()).length(5) }),
  byDay: z.array(z.object({ day: z.iso.date(), started: z.int(), resolved: z.int() })),
  /** Conversations started, by weekday (1: Monday) and hour; those without any are absent. */
  byHour: z.array(z.object({ weekday: z.int(), hour: z.int(), started: z.int() })),
  byAgent: z.array(z.object({ id: rowId, name: z.string(), replies: z.int(), resolved: z.int(), rating: z.number().nullable() })),
  /** Pages on which conversations started, most first. */
  byPage: z.array(z.object({ path: z.string(), started: z.int() })),
  lists: z.record(z.enum(conversationLists), z.int()),
});
export type Statistics = z.infer<typeof Statistics>;
