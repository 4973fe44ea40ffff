import { preferredLanguage } from '../../../contract/languages/tags';
import { canonicalLanguage } from '../../../contract/languages';
import { pathPattern } from '../../../contract/seo/robots';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import { supportLimits, textColorOn } from '../../../contract/support/terms';
import type { PrechatField } from '../../../contract/support/terms';
import type { FormField, WidgetConfig, WidgetTexts } from '../../../contract/support/visitors';
import { languages } from '../../areas/languages/list';
import { effectiveSettings } from '../../areas/support';
import type { EffectiveSettings } from '../../areas/support';
import type { IndexedSite } from '../../areas/sites';
import type { Context } from '../../context';
import { acceptedTypes } from './fileAddress';
import { widgetTexts } from './texts';

/** The canonical form of what a page says its language is; the site's language if it says nothing that can be read. */
export function languageOf(text: string, site: Pick<IndexedSite, 'defaultLang'>): string {
  try {
    return canonicalLanguage(new Intl.Locale(text.trim()).baseName);
  } catch {
    return site.defaultLang;
  }
}

const dirOf = (language: string): 'ltr' | 'rtl' => languages().find(({ code }) => code === language.split('-')[0])?.dir ?? 'ltr';

const fits = (patterns: readonly string[], path: string): boolean => patterns.some((pattern) => pathPattern(`${pattern}$`)(path));

/** Whether a page has the widget. `path`: without query. */
export const isIncluded = ({ pages, languages: chosen }: Pick<StoredSupportSettings, 'pages' | 'languages'>, path: string, language: string): boolean =>
  (pages.include.length === 0 || fits(pages.include, path)) &&
  !fits(pages.exclude, path) &&
  (chosen.length === 0 || preferredLanguage(language, chosen) !== null);

const types: Partial<Record<PrechatField, FormField['type']>> = { email: 'email', phone: 'tel' };

function fieldsOf({ prechat }: StoredSupportSettings, texts: WidgetTexts, language: string, site: Pick<IndexedSite, 'defaultLang'>): FormField[] {
  return prechat.fields.map(({ field, required, label }) => {
    const own = label[language] || label[site.defaultLang] || Object.values(label).find(Boolean) || '';
    const usual = field.startsWith('custom') ? '' : texts[field as Exclude<PrechatField, `custom${string}`>];
    return { key: field, label: own || usual, type: types[field] ?? 'text', required, options: field === 'topic' ? prechat.topics : [] };
  });
}

/** Texts of a language with those of the site in place of the usual ones. */
function textsOf({ texts }: EffectiveSettings, language: string): WidgetTexts {
  const usual = widgetTexts(language);
  return {
    ...usual,
    title: texts.title || usual.title,
    greeting: texts.greeting || usual.greeting,
    launcher: texts.launcher || usual.launcher,
    offlineTitle: texts.offlineTitle || usual.offlineTitle,
    offlineHelp: texts.offlineText || usual.offlineHelp,
    sent: texts.sent || usual.sent,
  };
}

/** What the widget needs on a page; null: the page has none. */
export async function widgetConfig(ctx: Context, site: IndexedSite, pageLanguage: string, url: string): Promise<WidgetConfig | null> {
  const language = languageOf(pageLanguage, site);
  const found = await effectiveSettings(ctx, site, language);
  const { settings } = found;
  const path = URL.canParse(url) ? new URL(url).pathname : '/';
  if (settings.mode !== 'builtin' || !isIncluded(settings, path, language)) return null;
  const texts = textsOf(found, language);
  const fields = fieldsOf(settings, texts, language, site);
  const { brand, prechat, invite, files } = settings;
  const asks = prechat.when === 'always' || (prechat.when === 'away' && !found.open);
  const invites = invite.enabled && found.open && (invite.path === '' || fits([invite.path], path));
  return {
    name: brand.name || site.name,
    language,
    dir: dirOf(language),
    texts,
    color: brand.color,
    textColor: textColorOn(brand.color),
    side: brand.side,
    offset: brand.offset,
    zIndex: brand.zIndex,
    availability: found.open ? 'open' : found.reason === 'paused' ? 'paused' : 'away',
    awayPolicy: settings.awayPolicy,
    opensAt: found.open || found.changesAt === null ? null : new Date(found.changesAt).toISOString(),
    prechat: asks ? fields : [],
    formFields: fields,
    files: files.enabled ? { maxBytes: Math.min(files.megabytes, supportLimits.fileMegabytes.most) * 1_000_000, accept: acceptedTypes(files.kinds) } : null,
    rating: settings.rating,
    consent: found.texts.consent === '' ? null : { text: found.texts.consent, url: settings.privacyUrl || null },
    invite: invites ? { afterSeconds: invite.afterSeconds, text: found.texts.invite || texts.greeting } : null,
  };
}
