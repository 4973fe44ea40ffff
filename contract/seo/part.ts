import { z } from 'zod';
import { publishingLimits } from '../publishing/terms';
import { LocaleTag, rowId, safeText } from '../text';
import { aiAgents, indexingValues, pageKinds, seoLimits, structuredTypes, templateVariables } from './terms';

/** The part `seo` of a release. */

const Texts = (max: number) => z.record(LocaleTag, safeText(max)).refine((texts) => Object.keys(texts).length <= publishingLimits.languages);
const variable = new RegExp(`^\\{(?:${templateVariables.join('|')})\\}$`);
/** With variables in braces; other braces are refused, because a misspelled variable would be on every page. */
const Template = z
  .record(
    LocaleTag,
    safeText(seoLimits.template).refine((text) => (text.match(/\{[^{}]*\}?/g) ?? []).every((one) => variable.test(one))),
  )
  .refine((texts) => Object.keys(texts).length <= publishingLimits.languages);

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
  title: Texts(200).default({}),
  description: Texts(500).default({}),
  indexing: z.enum(indexingValues).nullable().default(null),
  image: rowId.nullable().default(null),
  /** A path of the site or an address; empty: its own. */
  canonical: z.string().max(2000).default(''),
});
export type PageOverride = z.output<typeof PageOverride>;

/** Patterns as in robots.txt (`pathPattern`); the longest that matches counts. */
const IndexingRule = z.strictObject({
  pattern: z.string().max(200).regex(/^[/*]/),
  indexing: z.enum(indexingValues).default('index'),
  nofollow: z.boolean().default(false),
  /** Also as the header `X-Robots-Tag`, which files have as well. */
  header: z.boolean().default(false),
  /** Characters of the excerpt; -1: any number. */
  maxSnippet: z.int().min(-1).max(1000).default(-1),
  maxImagePreview: z.enum(['none', 'standard', 'large']).default('large'),
});

/** Properties of a type by the field of the collection, or a fixed text. */
const StructuredRule = z.strictObject({
  type: z.enum(structuredTypes),
  collection: z.string().max(40).nullable().default(null),
  properties: z.record(
    z.string().regex(/^[a-z][A-Za-z.]{0,59}$/),
    z.union([z.strictObject({ field: z.string().max(40) }), z.strictObject({ text: safeText(1000) })]),
  ),
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
  canonical: z
    .strictObject({
      /** Parameters of addresses that are pages of their own; all others are left out of canonical addresses. */
      parameters: z.array(z.string().max(60)).max(30).default([]),
      trailingSlash: z.enum(['keep', 'remove']).default('remove'),
    })
    .default({ parameters: [], trailingSlash: 'remove' }),
  social: z
    .strictObject({
      image: rowId.nullable().default(null),
      /** Draws a picture with title and site where none is set. */
      drawn: z.boolean().default(true),
      twitter: z.string().trim().max(40).default(''),
    })
    .default({ image: null, drawn: true, twitter: '' }),
  structured: z.array(StructuredRule).max(seoLimits.patterns).default([]),
  sitemap: z
    .strictObject({
      images: z.boolean().default(true),
      /** Flat files besides the index, which Baidu does not read. */
      baidu: z.boolean().default(true),
      excluded: z.array(z.string().max(200).regex(/^[/*]/)).max(seoLimits.patterns).default([]),
    })
    .default({ images: true, baidu: true, excluded: [] }),
  agents: z
    .strictObject({
      refused: z.array(z.enum(aiAgents)).default([]),
      /** `auto`: from the pages of the site; `text`: what is written here. */
      llms: z.enum(['off', 'auto', 'text']).default('off'),
      text: z.string().max(seoLimits.llms).default(''),
    })
    .default({ refused: [], llms: 'off', text: '' }),
});
export type SeoPart = z.output<typeof SeoPart>;
