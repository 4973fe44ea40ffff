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

/** How pages write dates: digits as in 2026-11-26, or one of the lengths that each language has. */
export const dateStyles = ['iso', 'short', 'medium', 'long', 'full'] as const;
export type DateStyle = (typeof dateStyles)[number];

/** Of a language for which nothing was chosen. Amounts are in the currency of the default language, moments in the time zone of the site, dates as templates write them. */
export const languageDefaults = {
  state: 'published',
  fallback: [],
  missing: 'show',
  hostname: null,
  currency: null,
  timeZone: null,
  dateStyle: null,
} as const;

/** Whether `/` offers visitors their language: not at all, by a banner, or by a redirect. */
export const suggestions = ['off', 'banner', 'redirect'] as const;

/** Where `x-default` leads: to the page in the default language, or to `/`, which may offer visitors their language. */
export const xDefaults = ['default_language', 'start_page'] as const;

/** For how many days texts of a removed language can be stored until they are deleted. */
export const removedDays = [7, 30, 90] as const;

export const languageLimits = {
  /** Languages in a fallback chain. */
  fallback: 5,
  /** Characters of a tag (RFC 5646, 4.4.1). */
  tag: 35,
  /** Days for which texts of a removed language are stored unless somebody chooses otherwise. */
  removedDays: 30,
} as const;
