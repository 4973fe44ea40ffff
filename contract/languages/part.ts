import { z } from 'zod';
import type { FieldCode } from '../errors';
import { currencyCodes } from '../currencies';
import { canonicalLanguage } from '../languages';
import { publishingLimits } from '../publishing/terms';
import { LocaleTag, rowId } from '../text';
import { isTimeZone } from '../timeZone';
import { fallbackCycle } from './fallback';
import { dateStyles, languageDefaults, languageLimits, languageStates, missingPolicies, suggestions, urlStrategies, xDefaults } from './terms';

/** The part `languages` of a release, format 2. Format 1 was the list of tags alone, which had prefixes except for the first; it is read as well. */

/** The beginning of the addresses of a language, as one segment of a path. */
export const LanguagePath = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
  .max(languageLimits.tag);

export const SiteLanguage = z.strictObject({
  tag: LocaleTag,
  /** Unique in the site, regardless of case. */
  path: LanguagePath,
  state: z.enum(languageStates),
  /** Languages of the site, in order; the default language comes after them by itself. */
  fallback: z.array(LocaleTag).max(languageLimits.fallback),
  missing: z.enum(missingPolicies),
  /** The hostname of the language, with the strategies `subdomain` and `domain`; null: a prefix. */
  hostname: rowId.nullable(),
  /** ISO 4217, for amounts without a currency of their own; null: as in the default language. */
  currency: z.enum(currencyCodes).nullable(),
  /** IANA name; null: that of the site. */
  timeZone: z.string().max(64).refine(isTimeZone, { error: 'not_a_time_zone' }).nullable(),
  /** Null: as templates write dates. */
  dateStyle: z.enum(dateStyles).nullable(),
});
export type SiteLanguage = z.output<typeof SiteLanguage>;

export const SiteLanguages = z
  .strictObject({
    /** The default one first. */
    languages: z.array(SiteLanguage).min(1).max(publishingLimits.languages),
    strategy: z.enum(urlStrategies),
    xDefault: z.enum(xDefaults),
    suggestion: z.enum(suggestions),
    /** Pages that were translated by a machine and that nobody reviewed may not be indexed. */
    noindexMachine: z.boolean(),
  })
  .superRefine(({ languages }, { addIssue }) => {
    const refuse = (path: readonly (string | number)[], message: FieldCode): void => addIssue({ code: 'custom', message, path: ['languages', ...path] });
    if (languages[0]?.state !== 'published') refuse([0, 'state'], 'in_use');
    const tags = languages.map(({ tag }) => tag);
    const paths = languages.map(({ path }) => path.toLowerCase());
    const hostnames = languages.map(({ hostname }) => hostname);
    for (const [at, { tag, path, fallback, hostname }] of languages.entries()) {
      if (tags.indexOf(tag) < at) refuse([at, 'tag'], 'duplicate');
      if (paths.indexOf(path.toLowerCase()) < at) refuse([at, 'path'], 'duplicate');
      if (hostname !== null && hostnames.indexOf(hostname) < at) refuse([at, 'hostname'], 'duplicate');
      if (fallback.some((one) => one === tag || !tags.includes(one))) refuse([at, 'fallback'], 'unknown');
    }
    const cycle = fallbackCycle(Object.fromEntries(languages.map(({ tag, fallback }) => [tag, fallback])));
    if (cycle !== null) refuse([tags.indexOf(cycle[0] ?? ''), 'fallback'], 'loop');
  });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const defaults = { strategy: 'prefix_except_default', xDefault: 'default_language', suggestion: 'off', noindexMachine: true } as const;

/** Tags of format 1 as languages of format 2, with the defaults of values that they lack. Format 1 did not refuse a tag that occurs twice. */
function completed(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.languages)) return value;
  const read = new Set<string>();
  const languages = (value.languages as readonly unknown[]).flatMap((one): unknown[] => {
    if (typeof one !== 'string') return [isObject(one) ? { ...languageDefaults, ...one } : one];
    const tag = canonicalLanguage(one);
    if (read.has(tag.toLowerCase())) return [];
    read.add(tag.toLowerCase());
    return [{ ...languageDefaults, tag, path: tag }];
  });
  return { ...defaults, ...value, languages };
}

export const LanguagesPart = z.preprocess(completed, SiteLanguages);
export type LanguagesPart = z.output<typeof LanguagesPart>;
