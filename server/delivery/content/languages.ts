import { pickLanguage, textAlong } from '../../../contract/languages/fallback';
import type { Formats } from '../../../contract/languages/formats.mjs';
import type { SiteLanguage } from '../../../contract/languages/part';
import type { MissingPolicy } from '../../../contract/languages/terms';
import type { PageRecord, PageRequest } from '../../areas/tables';
import { pseudoText } from '../../kit/templates/pseudo';
import type { PageContext } from '../edition';
import type { CompiledRelease } from '../release';

type Texts = Readonly<Record<string, string>>;
type Located = Pick<PageContext, 'release' | 'language' | 'pseudo'>;

export const chainOf = ({ release, language }: Located): readonly string[] => release.chains.get(language) ?? [language];

/** A text that can be translated, as the page shows it: in the pseudo-language, or as it is. */
export const translatable = ({ pseudo }: Pick<PageContext, 'pseudo'>, text: string): string => (pseudo === true ? pseudoText(text) : text);

/** A text in the language of the page, else along the chain of its fallbacks; undefined if there is none. */
export function textFor(context: Located, texts: Texts): string | undefined {
  const text = textAlong(texts, chainOf(context));
  return text === undefined ? undefined : translatable(context, text);
}

/** Whether a theme's field of a collection can be translated. Where a site has one language, each of its texts can be. */
export const isTranslatable = (
  { release, content }: PageContext,
  { table, fields }: { readonly table: string; readonly fields: Readonly<Record<string, string>> },
  key: string,
): boolean => release.languages.length === 1 || content.isLocalized(table, fields[key] ?? '');

/** Languages of the site in which a record exists. A table may lack all of them: then its records are in the default one. */
export function languagesOfRecord({ languages }: Pick<CompiledRelease, 'languages'>, { locales }: Pick<PageRecord, 'locales'>): string[] {
  const own = languages.filter((language) => locales.includes(language));
  return own.length > 0 ? own : languages.slice(0, 1);
}

/** The language in which a page in the language of the context shows a record. */
export const languageFor = (context: Located, record: Pick<PageRecord, 'locales'>): string =>
  pickLanguage(chainOf(context), new Set(languagesOfRecord(context.release, record))) ?? context.language;

const ruleOf = ({ release }: Pick<PageContext, 'release'>, language: string): SiteLanguage | undefined =>
  release.languageRules.languages.find(({ tag }) => tag === language);

/** What visitors get where a page does not exist in the language of the context. */
export const missingPolicy = (context: Located): MissingPolicy => ruleOf(context, context.language)?.missing ?? 'show';

/** How pages write dates and amounts in a language. */
export function formatsOf(context: Pick<PageContext, 'release' | 'site'>, language: string): Formats {
  const rule = ruleOf(context, language);
  const currency = rule?.currency ?? context.release.languageRules.languages[0]?.currency ?? null;
  return { language, timeZone: rule?.timeZone ?? context.site.timeZone, dateStyle: rule?.dateStyle ?? null, currency };
}

/** Restricts a query to the records that visitors may see in the language of the context. */
export const visibleIn = (context: Located): Pick<PageRequest, 'existsIn'> =>
  missingPolicy(context) === 'hide' && context.language !== context.release.languages[0] ? { existsIn: context.language } : {};
