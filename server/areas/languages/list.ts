import type { Language } from '../../../contract/sites/schemas';

/**
 * Languages in which a site can be written, the most common first within each group; names come from `Intl`. Chinese is identified by script, as in hreflang.
 */
const common = ['zh-Hans', 'zh-Hant', 'en', 'ja', 'ko', 'fr', 'de', 'es', 'pt', 'pt-BR', 'ru', 'ar', 'it', 'vi', 'th', 'id'] as const;
const others = [
  'ms',
  'fil',
  'hi',
  'bn',
  'ta',
  'te',
  'mr',
  'ur',
  'fa',
  'tr',
  'he',
  'pl',
  'uk',
  'nl',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'sk',
  'hu',
  'ro',
  'bg',
  'el',
  'sr',
  'hr',
  'sl',
  'lt',
  'lv',
  'et',
  'ca',
  'gl',
  'eu',
  'ga',
  'is',
  'kk',
  'uz',
  'ky',
  'mn',
  'bo',
  'ug',
  'my',
  'km',
  'lo',
  'ne',
  'si',
  'ka',
  'hy',
  'az',
  'sw',
  'af',
  'am',
] as const;
const rightToLeft: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr']);
/** Languages of the console itself. */
const ui: ReadonlySet<string> = new Set(['zh-Hans', 'en']);

/** Direction of the script that a tag names, else of that in which its language is usually written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}

const namesIn = (locale: string): ((code: string) => string) => {
  const names = new Intl.DisplayNames([locale], { type: 'language', languageDisplay: 'dialect', fallback: 'code' });
  return (code) => names.of(code) ?? code;
};

/** The name by which a language calls itself. */
function ownName(code: string): string {
  const name = namesIn(code)(code);
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

function listOf(): Language[] {
  const zh = namesIn('zh-Hans');
  const en = namesIn('en');
  const row = (code: string, isCommon: boolean): Language => {
    return {
      code,
      name: ownName(code),
      nameZh: zh(code),
      nameEn: en(code),
      dir: directionOf(code),
      ui: ui.has(code),
      common: isCommon,
    };
  };
  return [...common.map((code) => row(code, true)), ...others.map((code) => row(code, false))];
}

let list: readonly Language[] | undefined;

/** Every language of the installation (`intls` of the start-up response), in the order used in forms. */
export const languages = (): readonly Language[] => (list ??= listOf());

/** The name by which a language calls itself, for the language switch of a site. Sites may have languages that the list lacks, such as `es-MX`. */
export const nameOfLanguage = (tag: string): string => languages().find(({ code }) => code === tag)?.name ?? ownName(tag);

export const isKnownLanguage = (code: string): boolean => languages().some((language) => language.code === code);
