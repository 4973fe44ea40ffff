import { z } from 'zod';
import { publishingLimits } from '../publishing/terms';
import { LocaleTag, rowId, safeText } from '../text';
import { aiAgents, entityProperties, entityTypes, indexingValues, llmsModes, pageKinds, seoLimits, templateVariables } from './terms';

/** The part `seo` of a release. Paths are those of the default language, without the prefix of another one. */

const fewLanguages = (texts: object): boolean => Object.keys(texts).length <= publishingLimits.languages;
const Texts = (max: number) => z.record(LocaleTag, safeText(max)).refine(fewLanguages);
const variable = new RegExp(`^\\{(?:${templateVariables.join('|')})\\}$`);
/** With variables in braces; other braces are refused, because a misspelled variable would be on every page. */
export const TemplateText = safeText(seoLimits.template).refine((text) => (text.match(/\{[^{}]*\}?/g) ?? []).every((one) => variable.test(one)), {
  message: 'pattern',
});
const Template = z.record(LocaleTag, TemplateText).refine(fewLanguages);

/** A collection of the theme, or `*` for all pages of the kind. */
const PageTemplate = z.strictObject({
  kind: z.enum(pageKinds),
  collection: z.string().max(40).default('*'),
  title: Template.default({}),
  description: Template.default({}),
});

/** Of one path, in all languages. Empty texts leave what the templates say. */
export const PageOverride = z.strictObject({
  path: z.string().max(publishingLimits.path).startsWith('/'),
  title: Texts(seoLimits.title).default({}),
  description: Texts(seoLimits.description).default({}),
  indexing: z.enum(indexingValues).nullable().default(null),
  /** The picture of its social card. */
  image: rowId.nullable().default(null),
  /** A path of the site or an address; empty: its own. */
  canonical: z
    .union([
      z.literal(''),
      z
        .string()
        .max(publishingLimits.path)
        .regex(/^\/(?!\/)/),
      z.url({ protocol: /^https?$/ }).max(2000),
    ])
    .default(''),
});
export type PageOverride = z.output<typeof PageOverride>;

/** As in robots.txt (`pathPattern`). */
const Pattern = z.string().max(200).regex(/^[/*]/);
/** The longest pattern that matches counts. */
const IndexingRule = z.strictObject({
  pattern: Pattern,
  indexing: z.enum(indexingValues).default('index'),
  nofollow: z.boolean().default(false),
  /** Also as the header `X-Robots-Tag`, which files have as well. */
  header: z.boolean().default(false),
  /** Characters of the excerpt; -1: any number. */
  maxSnippet: z.int().min(-1).max(1000).default(-1),
  maxImagePreview: z.enum(['none', 'standard', 'large']).default('large'),
});

/** What records of a collection are in structured data. Properties are fields of the collection, or fixed texts. */
const EntityRule = z.strictObject({
  collection: z.string().max(40),
  type: z.enum(entityTypes),
  properties: z
    .partialRecord(z.enum(entityProperties), z.union([z.strictObject({ field: z.string().max(40) }), z.strictObject({ text: safeText(200) })]))
    .default({}),
});

export const SeoPart = z.strictObject({
  separator: z.string().trim().min(1).max(5).default('·'),
  templates: z.array(PageTemplate).max(seoLimits.patterns).default([]),
  overrides: z
    .array(PageOverride)
    .max(seoLimits.overrides)
    .refine((rows) => new Set(rows.map(({ path }) => path)).size === rows.length)
    .default([]),
  indexing: z.array(IndexingRule).max(seoLimits.patterns).default([]),
  social: z
    .strictObject({
      /** Draws a picture with title and site where a page and the site have none. */
      drawn: z.boolean().default(true),
      /** Account of the site, without `@`. */
      twitter: z
        .string()
        .regex(/^\w{0,15}$/)
        .default(''),
    })
    .default({ drawn: true, twitter: '' }),
  entities: z.array(EntityRule).max(seoLimits.patterns).default([]),
  sitemap: z
    .strictObject({
      images: z.boolean().default(true),
      /** Flat files besides the index, which Baidu does not read. */
      baidu: z.boolean().default(true),
      excluded: z.array(Pattern).max(seoLimits.patterns).default([]),
    })
    .default({ images: true, baidu: true, excluded: [] }),
  agents: z
    .strictObject({
      refused: z.array(z.enum(aiAgents)).default([]),
      /** `auto`: from the pages of the site; `text`: what is written here. */
      llms: z.enum(llmsModes).default('off'),
      text: z.string().max(seoLimits.llms).default(''),
    })
    .default({ refused: [], llms: 'off', text: '' }),
});
export type SeoPart = z.output<typeof SeoPart>;
