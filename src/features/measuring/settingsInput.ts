import { z } from 'zod';
import { addressPolicies, BotRules, wishPolicies } from '@contract/measuring/schemas';
import type { MeasuringInput, MeasuringSettings } from '@contract/measuring/schemas';
import { bucketLimits } from '@contract/measuring/buckets';
import type { BucketEnds } from '@contract/measuring/buckets';
import { identityModes } from '@contract/sites/schemas';
import { encodeFieldError } from '@/ui/form/fieldError';

export const lines = (text: string): string[] =>
  text
    .split(/[\s,，;；]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A whole number as typed; `empty`: may be empty. */
const wholeNumber = (min: number, max: number, empty = false) =>
  z
    .string()
    .trim()
    .refine((text) => (text === '' ? empty : /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max), {
      message: encodeFieldError({ code: 'out_of_range', min, max }),
    });

/** Upper bounds of buckets, as typed: whole numbers, each larger than the previous one. */
const bucketEnds = (scale: keyof BucketEnds) =>
  z.string().refine(
    (text) => {
      const ends = lines(text).map(Number);
      const inOrder = ends.every(
        (end, index) => Number.isInteger(end) && end <= bucketLimits.largest && end > (ends[index - 1] ?? bucketLimits.least[scale] - 1),
      );
      return inOrder && ends.length >= 1 && ends.length <= bucketLimits.most;
    },
    { message: encodeFieldError({ code: 'pattern' }) },
  );

/** As typed: lists with one entry per line, numbers as digits. */
export const SettingsInput = z.object({
  identity: z.enum(identityModes),
  doNotTrack: z.enum(wishPolicies),
  globalPrivacyControl: z.enum(wishPolicies),
  addresses: z.enum(addressPolicies),
  retentionDays: z
    .string()
    .trim()
    .regex(/^\d{0,4}$/),
  searchParams: z.string(),
  hosts: z.string(),
  bots: BotRules,
  spamOn: z.boolean(),
  spamHosts: z.string(),
  spamExceptions: z.string(),
  bucketPages: bucketEnds('pages'),
  bucketSeconds: bucketEnds('seconds'),
  bucketDays: bucketEnds('days'),
  bucketVisits: bucketEnds('visits'),
  cityFloor: wholeNumber(2, 1000, true),
  gapMinutes: wholeNumber(5, 240),
  campaignCuts: z.boolean(),
  engagedSeconds: wholeNumber(1, 3600, true),
  vitalsOn: z.boolean(),
  vitalsPercent: wholeNumber(1, 100),
});
export type SettingsInput = z.input<typeof SettingsInput>;
export type SettingsField = keyof SettingsInput;

/** The tabs of the page that form one form, and their fields. */
export const fieldsOfPart = {
  settings: ['identity', 'doNotTrack', 'globalPrivacyControl', 'addresses', 'retentionDays', 'searchParams', 'hosts', 'vitalsOn', 'vitalsPercent'],
  visits: ['gapMinutes', 'campaignCuts', 'engagedSeconds', 'bucketPages', 'bucketSeconds', 'bucketDays', 'bucketVisits', 'cityFloor'],
  bots: ['spamOn', 'spamHosts', 'spamExceptions', 'bots'],
} as const satisfies Readonly<Record<string, readonly SettingsField[]>>;
export type FormPart = keyof typeof fieldsOfPart;
export const formParts = Object.keys(fieldsOfPart) as FormPart[];

/** Form fields of body fields whose names differ; list items map to the field of their list. */
const fieldOfBody = {
  'spam.on': 'spamOn',
  'spam.hosts': 'spamHosts',
  'spam.exceptions': 'spamExceptions',
  'buckets.pages': 'bucketPages',
  'buckets.seconds': 'bucketSeconds',
  'buckets.days': 'bucketDays',
  'buckets.visits': 'bucketVisits',
  'visits.gapMinutes': 'gapMinutes',
  'visits.campaignCuts': 'campaignCuts',
  'visits.engagedSeconds': 'engagedSeconds',
  'vitals.on': 'vitalsOn',
  'vitals.percent': 'vitalsPercent',
} as const satisfies Readonly<Record<string, SettingsField>>;

export const placesOf = (paths: readonly string[]): Record<string, SettingsField> =>
  Object.fromEntries(
    paths.flatMap((path) => Object.entries(fieldOfBody).flatMap(([body, field]) => (path === body || path.startsWith(`${body}.`) ? [[path, field]] : []))),
  );

const numbers = (text: string): number[] => lines(text).map(Number);
const digits = (value: number | null): string => (value === null ? '' : String(value));
const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export const inputOf = (settings: MeasuringSettings): SettingsInput => ({
  identity: settings.identity,
  doNotTrack: settings.doNotTrack,
  globalPrivacyControl: settings.globalPrivacyControl,
  addresses: settings.addresses,
  retentionDays: digits(settings.retentionDays),
  searchParams: settings.searchParams.join('\n'),
  hosts: settings.hosts.join('\n'),
  bots: settings.bots,
  spamOn: settings.spam.on,
  spamHosts: settings.spam.hosts.join('\n'),
  spamExceptions: settings.spam.exceptions.join('\n'),
  bucketPages: settings.buckets.pages.join(', '),
  bucketSeconds: settings.buckets.seconds.join(', '),
  bucketDays: settings.buckets.days.join(', '),
  bucketVisits: settings.buckets.visits.join(', '),
  cityFloor: digits(settings.cityFloor),
  gapMinutes: digits(settings.visits.gapMinutes),
  campaignCuts: settings.visits.campaignCuts,
  engagedSeconds: digits(settings.visits.engagedSeconds),
  vitalsOn: settings.vitals.on,
  vitalsPercent: digits(settings.vitals.percent),
});
export const bodyOf = ({
  bucketPages,
  bucketSeconds,
  bucketDays,
  bucketVisits,
  spamOn,
  spamHosts,
  spamExceptions,
  gapMinutes,
  campaignCuts,
  engagedSeconds,
  vitalsOn,
  vitalsPercent,
  ...input
}: SettingsInput): MeasuringInput => ({
  ...input,
  retentionDays: numberOrNull(input.retentionDays),
  buckets: { pages: numbers(bucketPages), seconds: numbers(bucketSeconds), days: numbers(bucketDays), visits: numbers(bucketVisits) },
  cityFloor: numberOrNull(input.cityFloor),
  searchParams: lines(input.searchParams),
  hosts: lines(input.hosts),
  spam: { on: spamOn, hosts: lines(spamHosts), exceptions: lines(spamExceptions) },
  visits: { gapMinutes: Number(gapMinutes), campaignCuts, engagedSeconds: numberOrNull(engagedSeconds) },
  vitals: { on: vitalsOn, percent: Number(vitalsPercent) },
});
