import { textAlong, textWithin } from '../../../contract/languages/fallback';
import { preferredLanguage } from '../../../contract/languages/tags';
import { canonicalLanguage } from '../../../contract/languages';
import { pathPatterns } from '../../../contract/seo/robots';
import type { StoredSupportSettings, SupportTexts, SupportTopic } from '../../../contract/support/settings';
import { supportLimits, textColorOn } from '../../../contract/support/terms';
import type { PrechatField } from '../../../contract/support/terms';
import type { FormField, WidgetConfig, WidgetTexts } from '../../../contract/support/visitors';
import { parseUrl } from '../../../contract/parseUrl';
import { languages } from '../../areas/languages/list';
import type { IndexedSite } from '../../areas/sites';
import { acceptedTypes } from './fileAddress';
import type { SettingsNow } from './settings';
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

const fits = (patterns: readonly string[], path: string): boolean => pathPatterns(patterns.map((pattern) => `${pattern}$`))(path);

/** Whether a page has the widget. `path`: without query. */
export const isIncluded = ({ pages, languages: chosen }: Pick<StoredSupportSettings, 'pages' | 'languages'>, path: string, language: string): boolean =>
  (pages.include.length === 0 || fits(pages.include, path)) &&
  !fits(pages.exclude, path) &&
  (chosen.length === 0 || preferredLanguage(language, chosen) !== null);

const isCustom = (field: PrechatField): field is Extract<PrechatField, `custom${string}`> => field.startsWith('custom');

const types: Partial<Record<PrechatField, FormField['type']>> = { email: 'email', phone: 'tel' };

/** The chain ends with the default language, in which the names are. */
const topicText = ({ name, label }: SupportTopic, chain: readonly string[]): string => textWithin({ [chain.at(-1) ?? '']: name, ...label }, chain) ?? name;

function fieldsOf({ prechat }: StoredSupportSettings, texts: WidgetTexts, chain: readonly string[]): FormField[] {
  return prechat.fields.map(({ field, required, label }) => {
    // A question of the site has no other text.
    const usual = isCustom(field) ? textAlong(label, chain) : texts[field];
    return {
      key: field,
      label: textWithin(label, chain) ?? usual ?? '',
      type: types[field] ?? 'text',
      required,
      options: field === 'topic' ? prechat.topics.map((topic) => topicText(topic, chain)) : [],
    };
  });
}

/** The usual texts with those of the site in place of some. */
function textsOf(texts: SupportTexts, usual: WidgetTexts): WidgetTexts {
  return {
    ...usual,
    title: texts.title || usual.title,
    greeting: texts.greeting || usual.greeting,
    launcher: texts.launcher || usual.launcher,
    offlineTitle: texts.offlineTitle || usual.offlineTitle,
    offlineHelp: texts.offlineText || usual.offlineHelp,
    awayNotice: texts.offlineText || usual.awayNotice,
    sent: texts.sent || usual.sent,
  };
}

/** What the texts on a page depend on. `chain`: its language, then those that it falls back to; `title`: that of the site, as its pages have it. */
export type PageTexts = { readonly chain: readonly [string, ...string[]]; readonly title: string };

/** What the widget needs on a page; null: the page has none. */
export function widgetConfig(found: SettingsNow, { chain, title }: PageTexts, url: string): WidgetConfig | null {
  const [language] = chain;
  const { settings } = found;
  const path = parseUrl(url)?.pathname ?? '/';
  if (settings.mode !== 'builtin' || !isIncluded(settings, path, language)) return null;
  const usual = widgetTexts(chain);
  const own = found.textsIn(chain);
  const texts = textsOf(own, usual.texts);
  const fields = fieldsOf(settings, texts, chain);
  const { brand, prechat, invite, files } = settings;
  const asks = prechat.when === 'always' || (prechat.when === 'away' && !found.open);
  const invites = invite.enabled && found.open && (invite.path === '' || fits([invite.path], path));
  return {
    name: brand.name || title,
    language,
    locale: usual.locale,
    dir: dirOf(usual.locale),
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
    consent: own.consent === '' ? null : { text: own.consent, url: settings.privacyUrl || null },
    invite: invites ? { afterSeconds: invite.afterSeconds, text: own.invite || texts.greeting } : null,
  };
}
