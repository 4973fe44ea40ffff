import type { LanguagesPart } from '../../../contract/languages/part';
import { languageDefaults } from '../../../contract/languages/terms';
import type { SettingsPart } from '../../../contract/publishing/parts';
import type { SiteParts } from '../../../contract/publishing/schemas';
import type { Context } from '../../context';
import type { RunningJob } from '../../worker';
import { copySiteContent } from '../siteImport';
import { copyBase } from '../sites';
import type { SiteRecord } from '../sites/queries';
import type { NewSiteOf } from './install';

/**
 * Copies another site as its archive has it. What holds for that site alone stays there: search settings of single pages, hostnames, filings, people, and the country rule,
 * which would act at once.
 */

/** The languages of the other site with that of the new one first. Hostnames stay with the other site. */
function languagesFor(lang: string, { languages, ...rest }: LanguagesPart): LanguagesPart {
  const first = languages.find(({ tag }) => tag === lang) ?? { ...languageDefaults, fallback: [], tag: lang, path: lang };
  const all = [{ ...first, state: 'published' as const }, ...languages.filter(({ tag }) => tag !== lang)];
  return { ...rest, languages: all.map((one) => ({ ...one, hostname: null })) };
}

/** Gives a new site everything of another one but what holds for that one alone. */
export async function copySite(ctx: Context, job: RunningJob, by: NewSiteOf, from: SiteRecord): Promise<void> {
  const { defaultLang: lang, name } = by.site;
  const changes: { readonly [P in 'settings' | 'languages' | 'seo']: (content: SiteParts[P]['content']) => SiteParts[P]['content'] } = {
    settings: (settings: SettingsPart) => ({ ...settings, title: { ...settings.title, [lang]: name } }),
    languages: (languages) => languagesFor(lang, languages),
    seo: (seo) => ({ ...seo, overrides: [] }),
  };
  await copyBase(ctx, from.id, by.site.id);
  await copySiteContent(ctx, job, by, from, (part, content) => (part in changes ? changes[part as keyof typeof changes](content as never) : content));
}
