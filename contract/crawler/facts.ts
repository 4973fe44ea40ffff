import { z } from 'zod';
import { linkKinds, linkPositions, refusedRequests, renderProblems } from './terms';

/**
 * What one reading of a page found, in one pass over its HTML and headers. Texts are cut to their limits by the parser; lists hold at most as many entries as
 * their schema says, and `counts` has the true numbers.
 */
export const PageLink = z.object({
  /** Absolute, normalized, without fragment. */
  url: z.string(),
  kind: z.enum(linkKinds),
  position: z.enum(linkPositions),
  /** Text of the link or alternative text of its picture, at most 200 characters. */
  anchor: z.string(),
  /** Fragment without `#`; empty: none. */
  fragment: z.string(),
  nofollow: z.boolean(),
  sponsored: z.boolean(),
  ugc: z.boolean(),
  /** As written, if it was relative, had another case or the like; null: as `url`. At most 300 characters. */
  written: z.string().nullable(),
});
export type PageLink = z.infer<typeof PageLink>;

const PageImage = z.object({
  url: z.string(),
  /** null: no `alt` attribute. */
  alt: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  lazy: z.boolean(),
  position: z.enum(linkPositions),
  /** Whether a modern format (AVIF, WebP) is offered by `picture` or `srcset`. */
  modern: z.boolean(),
});

export const PageFacts = z.object({
  titles: z.array(z.string()).max(10),
  descriptions: z.array(z.string()).max(10),
  headings: z.array(z.object({ level: z.int().min(1).max(6), text: z.string() })).max(200),
  canonicals: z.array(z.object({ url: z.string(), source: z.enum(['html', 'header']), relative: z.boolean(), inBody: z.boolean() })).max(10),
  /** `agent`: lower case; `*` for all. Directives in lower case. */
  robots: z.array(z.object({ source: z.enum(['meta', 'header']), agent: z.string(), directives: z.array(z.string()) })).max(20),
  hreflangs: z.array(z.object({ language: z.string(), url: z.string(), source: z.enum(['html', 'header']) })).max(200),
  refresh: z.object({ seconds: z.number(), url: z.string() }).nullable(),
  viewport: z.string().nullable(),
  htmlLanguage: z.string().nullable(),
  /** Script that most letters of the text have: `Hans`, `Hant`, `Jpan`, `Kore`, `Latn`, `Cyrl`, `Arab`, …; null: too little text. */
  script: z.string().nullable(),
  charset: z.object({
    used: z.string(),
    header: z.string().nullable(),
    meta: z.string().nullable(),
    /** Whether the bytes are not valid in the declared charset. */
    wrong: z.boolean(),
    /** Number of U+FFFD. */
    replacements: z.int(),
    /** Whether the text looks like UTF-8 that was decoded twice. */
    mojibake: z.boolean(),
  }),
  images: z.array(PageImage).max(300),
  /** Values of `id` and `a name`, for fragments of links. */
  ids: z.array(z.string()).max(1000),
  duplicateIds: z.array(z.string()).max(20),
  forms: z.array(z.object({ action: z.string(), method: z.string() })).max(50),
  unlabelledFields: z.int(),
  unnamedControls: z.int(),
  landmarks: z.object({ main: z.boolean(), nav: z.boolean() }),
  elements: z.int(),
  depth: z.int(),
  metaInBody: z.boolean(),
  jsonLd: z.array(z.object({ types: z.array(z.string()), error: z.string().nullable(), properties: z.array(z.string()) })).max(50),
  openGraph: z.record(z.string(), z.string()),
  twitter: z.record(z.string(), z.string()),
  /** Headers that rules read, by lower-case name, values at most 1 000 characters. */
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.object({ name: z.string(), secure: z.boolean(), httpOnly: z.boolean(), sameSite: z.string().nullable() })).max(50),
  /** Kinds of secrets found in the page, such as `aws_key`, with a shortened excerpt. */
  secrets: z.array(z.object({ kind: z.string(), excerpt: z.string() })).max(10),
  /** Whether the page has next to no text but scripts and a root element that they fill. */
  needsScripts: z.boolean(),
  /** What became of rendering the page; null: its scripts were not run. `raw`: the page without them, if it was rendered; `units` as of its row. */
  rendering: z
    .object({
      problem: z.enum(renderProblems).nullable(),
      /** Absent in older runs. */
      refused: z.array(z.enum(refusedRequests)).optional(),
      raw: z.object({ title: z.string().nullable(), units: z.int(), links: z.int() }).nullable(),
    })
    .nullable()
    .default(null),
  /** First 300 characters of the main text. */
  excerpt: z.string(),
  counts: z.object({
    /** Words in Latin and similar scripts, and Han characters, of the main text. */
    words: z.int(),
    han: z.int(),
    internalLinks: z.int(),
    externalLinks: z.int(),
    images: z.int(),
  }),
});
export type PageFacts = z.infer<typeof PageFacts>;
