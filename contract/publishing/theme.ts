import { z } from 'zod';
import { LocaleTag, safeName, safeText } from '../text';
import { settingLengths } from './themeTexts';

/** `theme.json`: what a theme offers to a site, and what its templates need. Also the source of the form of its settings. */

export const themeLimits = {
  /** Files of a theme, and their bytes together and each. */
  files: 500,
  bytes: 20 * 1024 * 1024,
  fileBytes: 2 * 1024 * 1024,
  /** Bytes of a theme as a ZIP archive. */
  zipBytes: 21 * 1024 * 1024,
  /** Changes that a site can return to. */
  changes: 500,
  settings: 60,
  templates: 40,
  collections: 20,
  fields: 40,
  /** Lists that one template receives, and records of one list. */
  lists: 8,
  records: 500,
} as const;

/** Names in templates: `{{ record.cover }}`. */
const Key = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);
const Label = z.record(LocaleTag, safeText(200));
/** Values by name, at most `most`. */
const few = <T extends z.ZodType>(name: typeof Key, value: T, most: number) => z.record(name, value).refine((values) => Object.keys(values).length <= most);

/** What a template may expect of a field of a collection; a site chooses a field of its table that fits. */
export const themeFieldTypes = ['text', 'rich_text', 'image', 'date', 'number', 'money', 'link', 'record', 'records', 'tags', 'boolean'] as const;
export type ThemeFieldType = (typeof themeFieldTypes)[number];

const setting = <T extends string, D extends z.ZodType>(type: T, value: D) =>
  z.strictObject({ key: Key, type: z.literal(type), label: Label, help: Label.optional(), group: Label.optional(), default: value });

/** `localized: false`: a text that is the same in all languages, such as a code. */
const translated = { localized: z.boolean().optional() };

export const ThemeSetting = z.discriminatedUnion('type', [
  setting('text', safeText(settingLengths.text)).extend(translated),
  setting('long_text', safeText(settingLengths.long_text)).extend(translated),
  setting('color', z.string().regex(/^#[0-9a-f]{6}$/i)),
  setting('boolean', z.boolean()),
  setting('number', z.number()).extend({ min: z.number(), max: z.number() }),
  setting('choice', z.string()).extend({
    choices: z
      .array(z.strictObject({ value: Key, label: Label }))
      .min(2)
      .max(20),
  }),
  setting('image', z.null()),
  setting('link', safeText(settingLengths.link)),
]);
export type ThemeSetting = z.infer<typeof ThemeSetting>;

/**
 * Records that a template receives under its name. `except: "record"`: without the record that the page shows. `same`: only those with the same value of a field, or one in common if it has several.
 * `by`: only those whose field of that name, of type `record` or `records`, contains the record that the page shows, such as the articles of an author. `fields`:
 * what each record has; without it, every field but rich text, so that long lists stay small.
 */
const ThemeList = z.strictObject({
  collection: Key,
  limit: z.int().min(1).max(themeLimits.records),
  sort: z
    .string()
    .regex(/^-?(?:\$publishedAt|[a-z][a-z0-9_]{0,39})$/)
    .optional(),
  except: z.literal('record').optional(),
  same: Key.optional(),
  by: Key.optional(),
  fields: z.array(Key).min(1).max(themeLimits.fields).optional(),
});

const ThemeTemplate = z.strictObject({
  label: Label.optional(),
  /** The collection whose records (`record`) or lists (`list`) it shows; absent if it shows neither. */
  for: Key.optional(),
  shows: z.enum(['page', 'record', 'list']).default('page'),
  data: few(Key, ThemeList, themeLimits.lists).default({}),
});

export const ThemeCollection = z.strictObject({
  title: Label,
  fields: few(
    Key,
    z.strictObject({ type: z.enum(themeFieldTypes), label: Label, required: z.boolean().default(false), of: Key.optional() }),
    themeLimits.fields,
  ),
});

export const ThemeManifest = z.strictObject({
  format: z.literal(1),
  name: Label,
  description: Label.optional(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  author: safeName(100).optional(),
  license: safeName(100).optional(),
  /** Menus that the theme has places for. */
  menus: z.record(Key, Label).default({}),
  settings: z.array(ThemeSetting).max(themeLimits.settings).default([]),
  collections: few(Key, ThemeCollection, themeLimits.collections).default({}),
  /** By file name in `templates/` without `.liquid`. `not_found` is shown for unknown addresses, `search` for the search page. */
  templates: few(Key, ThemeTemplate, themeLimits.templates),
});
export type ThemeManifest = z.infer<typeof ThemeManifest>;
