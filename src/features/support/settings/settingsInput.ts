import { z } from 'zod';
import type { SupportSettings, SupportSettingsInput } from '@contract/support/settings';
import { awayPolicies, launcherSides, prechatFields, prechatTimes, supportFileKinds, supportModes, supportWebhookKinds } from '@contract/support/terms';

export const textNames = ['title', 'greeting', 'launcher', 'offlineTitle', 'offlineText', 'sent', 'consent', 'invite'] as const;
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
export const askings = ['no', 'optional', 'required'] as const;

const span = /^(?:[01]\d|2[0-3]):[0-5]\d\s*[-–—~\u81f3]\s*(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');
const spansOf = (text: string): string[] =>
  text
    .split(/[,，、;；]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
const holiday = /^(\d{4}-\d{2}-\d{2})(?:\s+(.*))?$/;
const count = z
  .string()
  .trim()
  .regex(/^\d{1,10}$/, 'pattern');
const Texts = z.record(z.enum(textNames), z.string());

/** The settings as they are typed: numbers and lists are texts, one entry a line. */
export const SettingsInput = z.object({
  mode: z.enum(supportModes),
  externalCode: z.string(),
  brand: z.object({ name: z.string(), color: z.string().regex(/^#[0-9a-f]{6}$/i, 'pattern'), side: z.enum(launcherSides), offset: count, zIndex: count }),
  texts: z.record(z.string(), Texts),
  hours: z.object({
    timeZone: z.string(),
    always: z.boolean(),
    /** By weekday from Monday on: `09:00-12:00, 13:30-18:00`. */
    week: z.array(z.string().refine((text) => spansOf(text).every((one) => span.test(one)), 'pattern')),
    holidays: z.string().refine((text) => lines(text).every((one) => holiday.test(one)), 'pattern'),
  }),
  awayPolicy: z.enum(awayPolicies),
  needsAgent: z.boolean(),
  prechat: z.object({
    when: z.enum(prechatTimes),
    fields: z.record(z.enum(prechatFields), z.enum(askings)),
    /** By field and language. */
    labels: z.record(z.enum(prechatFields), z.record(z.string(), z.string())),
    /** Labels by language. */
    topics: z.array(z.object({ name: z.string(), labels: z.record(z.string(), z.string()) })),
  }),
  include: z.string(),
  exclude: z.string(),
  languages: z.array(z.string()),
  files: z.object({ enabled: z.boolean(), megabytes: count, kinds: z.array(z.enum(supportFileKinds)) }),
  rating: z.boolean(),
  privacyUrl: z.string(),
  retentionDays: count,
  replyMinutes: count,
  contacts: z.boolean(),
  overdue: z.boolean(),
  delaySeconds: count,
  webhookKind: z.enum(['none', ...supportWebhookKinds]),
  webhookUrl: z.string(),
  webhookSecret: z.string(),
  invite: z.object({ enabled: z.boolean(), afterSeconds: count, path: z.string() }),
  origins: z.string(),
});
export type SettingsInput = z.infer<typeof SettingsInput>;
type SettingsBody = z.input<typeof SupportSettingsInput>;

const written = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .map(([language, label]) => [language, label.trim()])
      .filter(([, label]) => label !== ''),
  );

/** Whether a row for a topic was filled in. Others are not sent. */
export const isTopic = ({ name, labels }: SettingsInput['prechat']['topics'][number]): boolean => name.trim() !== '' || Object.keys(written(labels)).length > 0;

export const emptyTexts = Object.fromEntries(textNames.map((name) => [name, ''])) as Record<(typeof textNames)[number], string>;

/** `languages`: those of the site, whose texts can be written. */
export function inputOf(settings: SupportSettings, languages: readonly string[]): SettingsInput {
  const { brand, hours, prechat, notify, invite } = settings;
  const all = [...new Set([...languages, ...Object.keys(settings.texts)])];
  const fieldOf = (name: (typeof prechatFields)[number]) => prechat.fields.find(({ field }) => field === name);
  const inLanguages = (label: Readonly<Partial<Record<string, string>>>): Record<string, string> =>
    Object.fromEntries([...new Set([...languages, ...Object.keys(label)])].map((language) => [language, label[language] ?? '']));
  const labelsOf = (name: (typeof prechatFields)[number]): Record<string, string> => inLanguages(fieldOf(name)?.label ?? {});
  return {
    mode: settings.mode,
    externalCode: settings.externalCode,
    brand: { ...brand, offset: String(brand.offset), zIndex: String(brand.zIndex) },
    texts: Object.fromEntries(all.map((language) => [language, { ...emptyTexts, ...settings.texts[language] }])),
    hours: {
      timeZone: hours.timeZone,
      always: hours.always,
      week: weekdays.map((day) =>
        hours.week
          .filter((row) => row.day === day)
          .map(({ open, close }) => `${open}-${close}`)
          .join(', '),
      ),
      holidays: hours.holidays.map(({ date, label }) => `${date} ${label}`.trim()).join('\n'),
    },
    awayPolicy: settings.awayPolicy,
    needsAgent: settings.needsAgent,
    prechat: {
      when: prechat.when,
      fields: Object.fromEntries(
        prechatFields.map((name) => {
          const field = fieldOf(name);
          return [name, field === undefined ? 'no' : field.required ? 'required' : 'optional'];
        }),
      ) as SettingsInput['prechat']['fields'],
      labels: Object.fromEntries(prechatFields.map((name) => [name, labelsOf(name)])) as SettingsInput['prechat']['labels'],
      topics: prechat.topics.map(({ name, label }) => ({ name, labels: inLanguages(label) })),
    },
    include: settings.pages.include.join('\n'),
    exclude: settings.pages.exclude.join('\n'),
    languages: [...settings.languages],
    files: { ...settings.files, megabytes: String(settings.files.megabytes) },
    rating: settings.rating,
    privacyUrl: settings.privacyUrl,
    retentionDays: String(settings.retentionDays),
    replyMinutes: String(settings.replyMinutes),
    contacts: notify.contacts,
    overdue: notify.overdue,
    delaySeconds: String(notify.delaySeconds),
    webhookKind: notify.webhook?.kind ?? 'none',
    webhookUrl: notify.webhook?.url ?? '',
    webhookSecret: '',
    invite: { ...invite, afterSeconds: String(invite.afterSeconds) },
    origins: settings.origins.join('\n'),
  };
}

export function bodyOf(input: SettingsInput): SettingsBody {
  const { brand, hours, prechat, files, invite, webhookKind } = input;
  return {
    mode: input.mode,
    externalCode: input.externalCode,
    brand: { ...brand, offset: Number(brand.offset), zIndex: Number(brand.zIndex) },
    texts: Object.fromEntries(
      Object.entries(input.texts).filter(([, texts]) => Object.values(texts).some((text) => text.trim() !== '')),
    ) as SettingsBody['texts'],
    hours: {
      timeZone: hours.timeZone,
      always: hours.always,
      week: weekdays.flatMap((day, at) =>
        spansOf(hours.week[at] ?? '').map((text) => {
          const [open = '', close = ''] = text.split(/\s*[-–—~\u81f3]\s*/);
          return { day, open, close };
        }),
      ),
      holidays: lines(hours.holidays).map((text) => {
        const [, date = '', label = ''] = holiday.exec(text) ?? [];
        return { date, label };
      }),
    },
    awayPolicy: input.awayPolicy,
    needsAgent: input.needsAgent,
    prechat: {
      when: prechat.when,
      fields: prechatFields
        .filter((name) => prechat.fields[name] !== 'no')
        .map((field) => ({ field, required: prechat.fields[field] === 'required', label: written(prechat.labels[field]) })),
      topics: prechat.topics.filter(isTopic).map(({ name, labels }) => ({ name: name.trim(), label: written(labels) })),
    },
    pages: { include: lines(input.include), exclude: lines(input.exclude) },
    languages: input.languages,
    files: { ...files, megabytes: Number(files.megabytes) },
    rating: input.rating,
    privacyUrl: input.privacyUrl.trim(),
    retentionDays: Number(input.retentionDays),
    replyMinutes: Number(input.replyMinutes),
    notify: {
      contacts: input.contacts,
      overdue: input.overdue,
      delaySeconds: Number(input.delaySeconds),
      webhook: webhookKind === 'none' ? null : { kind: webhookKind, url: input.webhookUrl.trim() },
    },
    invite: { ...invite, afterSeconds: Number(invite.afterSeconds), path: invite.path.trim() },
    origins: lines(input.origins),
    ...(input.webhookSecret.trim() !== '' && { webhookSecret: input.webhookSecret.trim() }),
  };
}
