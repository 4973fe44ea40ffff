import { canonicalLanguage } from '../languages';
import { languageLimits } from './terms';

/** Tags of languages (BCP 47), as people type them and as search engines know them. */

/** Why a tag is refused. `syntax`: it is no tag; `unknown`: no such language, script or region; `extension`: extensions and private use are for programs, not for sites. */
export type TagError = 'syntax' | 'unknown' | 'extension';
export type CheckedTag = { readonly tag: string; readonly error: null } | { readonly tag: null; readonly error: TagError };

const knows = (type: 'language' | 'script' | 'region', code: string): boolean => {
  try {
    return new Intl.DisplayNames(['en'], { type, fallback: 'none' }).of(code) !== undefined;
  } catch {
    return false;
  }
};

/** Reads a tag as people write it (`en_US`, `iw`, `zh-cn`) and returns its stored form (`en-US`, `he`, `zh-Hans`). */
export function checkLanguageTag(text: string): CheckedTag {
  const written = text.trim().replaceAll('_', '-');
  if (written.length > languageLimits.tag) return { tag: null, error: 'syntax' };
  let locale: Intl.Locale;
  try {
    locale = new Intl.Locale(written);
  } catch {
    return { tag: null, error: /^x-/i.test(written) ? 'extension' : 'syntax' };
  }
  if (locale.toString() !== locale.baseName || /-(?:u|t|x)-/i.test(written)) return { tag: null, error: 'extension' };
  const { language, script, region } = locale;
  if (!knows('language', language) || (script !== undefined && !knows('script', script)) || (region !== undefined && !knows('region', region)))
    return { tag: null, error: 'unknown' };
  return { tag: canonicalLanguage(locale.baseName), error: null };
}

/** The value of `hreflang`: language, script and region only (Google, “Localized versions”). */
export function hreflangOf(tag: string): string {
  const { language, script, region } = new Intl.Locale(tag);
  return [language, script, region].filter((part) => part !== undefined).join('-');
}

const quality = (parameter: string | undefined): number => {
  const [, text] = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i.exec(parameter ?? '') ?? [];
  return parameter === undefined ? 1 : text === undefined ? 0 : Number(text);
};

/**
 * The language of a site that a browser prefers: `Accept-Language` by lookup (RFC 4647, 3.4), each range shortened from its end; `zh-TW`, `zh-HK` and `zh-MO` mean traditional Chinese. null: none of
 * them.
 */
export function preferredLanguage(header: string, languages: readonly string[]): string | null {
  const byName = new Map(languages.map((language) => [language.toLowerCase(), language]));
  const ranges = header
    .slice(0, 500)
    .split(',')
    .map((item) => {
      const [range = '', parameter] = item.split(';');
      return { range: range.trim().toLowerCase(), q: quality(parameter) };
    })
    .filter(({ range, q }) => q > 0 && /^[a-z\d-]{1,35}$/.test(range))
    .toSorted((a, b) => b.q - a.q);
  for (const { range } of ranges) {
    const traditional = /^zh-(?:tw|hk|mo)\b/.test(range);
    const known = traditional ? 'zh-hant' : range.startsWith('zh-') && !range.startsWith('zh-hant') ? 'zh-hans' : range;
    const candidates = known === range ? [range] : [range, known];
    for (const candidate of candidates)
      for (let name = candidate; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('-')))) {
        const found = byName.get(name);
        if (found !== undefined) return found;
      }
    if (range === 'zh' && byName.has('zh-hans')) return byName.get('zh-hans') ?? null;
  }
  return null;
}

/** Tags of the languages of a site, the default one first. */
export const tagsOf = ({ languages }: { readonly languages: readonly { readonly tag: string }[] }): string[] => languages.map(({ tag }) => tag);
