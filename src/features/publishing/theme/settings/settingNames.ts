import type { SettingsPart } from '@contract/publishing/parts';
import type { ThemeSetting } from '@contract/publishing/theme';
import { hasLanguages, isByLanguage, textsOfSetting, withSettingText } from '@contract/publishing/themeTexts';
import type { StoredSetting } from '@contract/publishing/themeTexts';
import type { SettingValue } from './settingModel';

export type Values = SettingsPart['theme'];
/** What values depend on: the settings of the theme, and the languages of the site, the default one first. */
export type SettingScope = { readonly settings: readonly ThemeSetting[]; readonly languages: readonly string[] };

/** The name of a value that a person edits: `accent`, or of a text in one language `headline.en`. Keys contain no dots. */
export const valueName = (setting: ThemeSetting, tag: string): string => (hasLanguages(setting) ? `${setting.key}.${tag}` : setting.key);

/** What a name refers to. `tag`: the language of a translated text; null: the value is the same in all languages. */
export function settingOf(
  name: string,
  { settings }: Pick<SettingScope, 'settings'>,
): { readonly key: string; readonly setting: ThemeSetting | undefined; readonly tag: string | null } {
  const [key = '', tag = null] = name.split('.', 2);
  return { key, setting: settings.find((one) => one.key === key), tag };
}

/** The stored value; undefined: nobody has set it. */
export function storedValue(values: Values, name: string, scope: SettingScope): SettingValue | undefined {
  const { key, setting, tag } = settingOf(name, scope);
  const stored = values[key];
  if (setting === undefined || tag === null || !hasLanguages(setting)) return isByLanguage(stored) ? undefined : stored;
  // The default of the theme is not stored.
  return textsOfSetting({ ...setting, default: '' }, stored, scope.languages[0] ?? tag)[tag];
}

function nextOf(
  setting: ThemeSetting | undefined,
  stored: StoredSetting,
  tag: string,
  value: SettingValue | undefined,
  languages: readonly string[],
): StoredSetting {
  // The theme may have been changed since: then it has no such text any more.
  if (setting === undefined || !hasLanguages(setting)) return stored;
  const text = typeof value === 'string' ? value : undefined;
  return withSettingText(setting, stored, { tag, main: languages[0] ?? tag, several: languages.length > 1 }, text);
}

/** Values with another one; undefined: back to the default. */
export function withValue(values: Values, name: string, value: SettingValue | undefined, scope: SettingScope): Values {
  const { key, setting, tag } = settingOf(name, scope);
  const { [key]: stored, ...others } = values;
  const next = tag === null ? value : nextOf(setting, stored, tag, value, scope.languages);
  return next === undefined ? others : { ...values, [key]: next };
}
