import { textAlong, textWithin } from '../languages/fallback';
import type { SettingsPart } from './parts';
import type { ThemeSetting } from './theme';

/** Texts of a theme's settings by language. Without zod. */

type Texts = Readonly<Record<string, string>>;
/** The stored value of a setting; undefined: nobody has set it. */
export type StoredSetting = SettingsPart['theme'][string] | undefined;
/** A setting whose text visitors read, in the language of their page. */
export type TextSetting = Extract<ThemeSetting, { type: 'text' | 'long_text' }>;

/** Characters of the value of a setting. */
export const settingLengths = { text: 500, long_text: 5000, link: 2000 } as const;

export const hasLanguages = (setting: ThemeSetting): setting is TextSetting =>
  (setting.type === 'text' || setting.type === 'long_text') && setting.localized !== false;
export const isByLanguage = (stored: StoredSetting): stored is Texts => typeof stored === 'object' && stored !== null;

/** Texts of a setting by language. A text without a language, and the default of the theme, are in the default language of the site. */
export function textsOfSetting(setting: TextSetting, stored: StoredSetting, main: string): Texts {
  if (typeof stored === 'string') return { [main]: stored };
  const own = isByLanguage(stored) ? stored : {};
  return setting.default === '' ? own : { [main]: setting.default, ...own };
}

/** The text for a page whose language falls back along a chain. A default language that was left empty on purpose gets the text of no other. */
export function textOfSetting(setting: TextSetting, stored: StoredSetting, chain: readonly string[], main: string): string {
  const texts = textsOfSetting(setting, stored, main);
  return textWithin(texts, chain) ?? texts[main] ?? textAlong(texts, []) ?? '';
}

/**
 * The value of a setting with another text in one language; undefined: without it, which for the default language means the default of the theme. `several`:
 * whether the site has several languages; one that has a single language stores texts without it. The result is undefined where nothing but the default is left.
 */
export function withSettingText(
  setting: TextSetting,
  stored: StoredSetting,
  { tag, main, several }: { readonly tag: string; readonly main: string; readonly several: boolean },
  text: string | undefined,
): StoredSetting {
  const before: Texts = typeof stored === 'string' ? { [main]: stored } : isByLanguage(stored) ? stored : {};
  const { [tag]: _old, ...others } = before;
  const isRemoved = text === undefined || (text === '' && tag !== main);
  const texts = isRemoved ? others : { ...others, [tag]: text };
  const { [main]: own, ...translations } = texts;
  if (Object.keys(translations).length > 0) return own === undefined && setting.default === '' ? { ...texts, [main]: '' } : texts;
  return own === undefined || own === setting.default ? undefined : several ? texts : own;
}
