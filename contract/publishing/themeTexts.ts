import { textAlong, textWithin } from '../languages/fallback';
import type { SettingsPart } from './parts';
import type { ThemeSetting } from './theme';

/** Texts of a theme's settings by language. Without zod. */

type Texts = Readonly<Record<string, string>>;
/** The stored value of a setting; undefined: nobody has set it. */
export type StoredSetting = SettingsPart['theme'][string] | undefined;
/** A setting whose text visitors read, in the language of their page. */
export type TextSetting = Extract<ThemeSetting, { type: 'text' | 'long_text' }>;

/** Characters of the value of a setting, by its type. */
export const settingLengths = { text: 500, long_text: 5000, link: 2000 } as const;
/** The same of any setting; undefined: of its type, no value is too long. */
export const settingLength = ({ type }: Pick<ThemeSetting, 'type'>): number | undefined =>
  (settingLengths as Partial<Record<ThemeSetting['type'], number>>)[type];

export const hasLanguages = (setting: ThemeSetting): setting is TextSetting =>
  (setting.type === 'text' || setting.type === 'long_text') && setting.localized !== false;
export const isByLanguage = (stored: StoredSetting): stored is Texts => typeof stored === 'object' && stored !== null;

/** Texts of a setting by language. A text without a language, and the default of the theme, are in the default language of the site. */
export function textsOfSetting(setting: TextSetting, stored: StoredSetting, main: string): Texts {
  if (typeof stored === 'string') return { [main]: stored };
  const own = isByLanguage(stored) ? stored : {};
  return setting.default === '' ? own : { [main]: setting.default, ...own };
}

/** The text for a page whose language falls back along a chain. If the text in the default language was left empty on purpose, no other language takes its place. */
export function textOfSetting(setting: TextSetting, stored: StoredSetting, chain: readonly string[], main: string): string {
  const texts = textsOfSetting(setting, stored, main);
  return textWithin(texts, chain) ?? texts[main] ?? textAlong(texts, []) ?? '';
}

/**
 * The value to store after the text in one language has changed; undefined: none, because only the default of the theme remains. `text`: undefined removes the text, so
 * that the default language has the default of the theme again. `several`: whether the site has several languages; with a single one, a text is stored without its language.
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
