import { z } from 'zod';
import type { FieldCode } from '../errors';
import { canonicalLanguage } from '../languages';
import { publishingLimits } from '../publishing/terms';
import { LocaleTag, rowId } from '../text';
import { fallbackCycle } from './fallback';
import { languageLimits, languageStates, missingPolicies, suggestions, urlStrategies, xDefaults } from './terms';

/** The part `languages` of a release, format 2. Format 1 was the list of tags alone; `languagesOfFormat1` reads it. */

/** The beginning of the addresses of a language, as one segment of a path. */
export const LanguagePath = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
  .max(languageLimits.tag);

export const SiteLanguage = z.strictObject({
  tag: LocaleTag,
  /** Unique in the site, regardless of case. */
  path: LanguagePath,
  state: z.enum(languageStates).default('published'),
  /** Languages of the site, in order; the default language comes after them by itself. */
  fallback: z.array(LocaleTag).max(languageLimits.fallback).default([]),
  missing: z.enum(missingPolicies).default('show'),
  /** The hostname of the language, with the strategies `subdomain` and `domain`; null: a prefix. */
  hostname: rowId.nullable().default(null),
});
export type SiteLanguage = z.output<typeof SiteLanguage>;

export const SiteLanguagesPart = z
  .strictObject({
    /** The default one first. */
    languages: z.array(SiteLanguage).min(1).max(publishingLimits.languages),
    strategy: z.enum(urlStrategies).default('prefix_except_default'),
    xDefault: z.enum(xDefaults).default('default_language'),
    suggestion: z.enum(suggestions).default('off'),
    /** Pages that were translated by a machine and that nobody reviewed may not be indexed. */
    noindexMachine: z.boolean().default(true),
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
    if (cycle !== null) refuse([tags.indexOf(cycle[0] ?? ''), 'fallback'], 'in_use');
  });
export type SiteLanguagesPart = z.output<typeof SiteLanguagesPart>;

/** What releases of format 1 mean: prefixes of all languages but the first, which are their tags. */
export const languagesOfFormat1 = (tags: readonly string[]): SiteLanguagesPart =>
  SiteLanguagesPart.parse({ languages: tags.map((tag) => ({ tag, path: canonicalLanguage(tag) })) });
