import type { SettingsPart } from '@contract/publishing/parts';
import type { ThemeSetting } from '@contract/publishing/theme';
import { hasLanguages, isByLanguage, textsOfSetting, withSettingText } from '@contract/publishing/themeTexts';
import type { SettingValue } from './settingModel';

export type Values = SettingsPart['theme'];
/** What values depend on: the settings of the theme, and the languages of the site, the default one first. */
export type SettingScope = { readonly settings: readonly ThemeSetting[]; readonly languages: readonly string[] };

/** The name of a value that a person edits: `accent`, or of a text in one language `headline.en`. Keys contain no dots. */
export const valueName = (setting: ThemeSetting, tag: string): string => (hasLanguages(setting) ? `${setting.key}.${tag}` : setting.key);

/** The setting of a value, and its language; null: it is the same in all of them. */
export function settingOf(
  name: string,
  { settings }: Pick<SettingScope, 'settings'>,
): { readonly setting: ThemeSetting | undefined; readonly tag: string | null } {
  const [key = '', tag = null] = name.split('.', 2);
  return { setting: settings.find((one) => one.key === key), tag };
}

/** The stored value; undefined: nobody has set it. */
export function storedValue(values: Values, name: string, scope: SettingScope): SettingValue | undefined {
  const { setting, tag } = settingOf(name, scope);
  const stored = values[name.split('.', 1)[0] ?? name];
  if (setting === undefined || tag === null || !hasLanguages(setting)) return isByLanguage(stored) ? undefined : stored;
  // The default of the theme is not stored.
  return textsOfSetting({ ...setting, default: '' }, stored, scope.languages[0] ?? tag)[tag];
}

/** Values with another one; undefined: back to the default. */
export function withValue(values: Values, name: string, value: SettingValue | undefined, scope: SettingScope): Values {
  const { setting, tag } = settingOf(name, scope);
  const { languages } = scope;
  const key = name.split('.', 1)[0] ?? name;
  const text = typeof value === 'string' ? value : undefined;
  // The theme may have been changed since: then it has no such text any more.
  if (tag !== null && (setting === undefined || !hasLanguages(setting))) return values;
  const next =
    tag !== null && setting !== undefined && hasLanguages(setting)
      ? withSettingText(setting, values[key], { tag, main: languages[0] ?? tag, several: languages.length > 1 }, text)
      : value;
  const { [key]: _old, ...others } = values;
  return next === undefined ? others : { ...values, [key]: next };
}
