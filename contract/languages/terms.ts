/** Languages of a delivered site. Terms without zod. */

/**
 * How an address says its language.
 *
 * prefix_except_default  `/en/blog`; the default language has no prefix
 * prefix_all             every language has its prefix; `/` leads to that of the default one
 * subdomain, domain      each language has a hostname of the site; one without has a prefix
 */
export const urlStrategies = ['prefix_except_default', 'prefix_all', 'subdomain', 'domain'] as const;
export type UrlStrategy = (typeof urlStrategies)[number];

/** hidden: people who edit see it in previews, visitors do not. */
export const languageStates = ['published', 'hidden'] as const;

/** What visitors get where a page does not exist in their language: the one of the fallback, a redirect to it, or 404. */
export const missingPolicies = ['show', 'redirect', 'hide'] as const;
export type MissingPolicy = (typeof missingPolicies)[number];

/** Whether `/` offers visitors their language: not at all, by a banner, or by a redirect. */
export const suggestions = ['off', 'banner', 'redirect'] as const;

/** Where `x-default` leads: to the page in the default language, or to `/`, which may offer visitors their language. */
export const xDefaults = ['default_language', 'start_page'] as const;

/** States of a translation. Only `machine`, `draft` and `reviewed` are stored. */
export const translationStates = ['missing', 'machine', 'draft', 'reviewed', 'outdated'] as const;
export type TranslationState = (typeof translationStates)[number];
export const markedStates = ['machine', 'draft', 'reviewed'] as const satisfies readonly TranslationState[];
export type MarkedState = (typeof markedStates)[number];

/** What can be translated. */
export const translatedEntities = ['record', 'menu', 'settings', 'theme', 'seo', 'country_block'] as const;
export type TranslatedEntity = (typeof translatedEntities)[number];

/** `opencc` converts between simplified and traditional Chinese within the program; the others are services with a key. */
export const engineKinds = ['opencc', 'deepl', 'google', 'libre', 'aliyun', 'tencent'] as const;
export type EngineKind = (typeof engineKinds)[number];
export const textFormats = ['text', 'html'] as const;

export const exchangeFormats = ['json', 'csv', 'xliff', 'po'] as const;
export type ExchangeFormat = (typeof exchangeFormats)[number];

export const languageLimits = {
  /** Languages in a fallback chain. */
  fallback: 5,
  /** Characters of a tag (RFC 5646, 4.4.1). */
  tag: 35,
  /** Bytes of an imported file. */
  importBytes: 20 * 1024 ** 2,
  /** Characters that one job translates. */
  characters: 1_000_000,
  glossary: 2000,
} as const;
