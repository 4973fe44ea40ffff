import type { ThemeManifest, ThemeSetting } from '@contract/publishing/theme';
import { settingLengths } from '@contract/publishing/themeTexts';
import { textIn } from '../../textIn';

/** The value of a setting; null for no picture. */
export type SettingValue = string | number | boolean | null;
export type SettingGroup = { readonly title: string | null; readonly settings: readonly ThemeSetting[] };
/** Why a value cannot be stored. */
export type SettingProblem = 'number' | 'color' | 'link' | 'tooLong';

/** Settings under their headings, in the order of the manifest. */
export function groupsOf({ settings }: Pick<ThemeManifest, 'settings'>, locale: string): SettingGroup[] {
  const groups = new Map<string, ThemeSetting[]>();
  for (const setting of settings) {
    const title = textIn(setting.group, locale);
    groups.set(title, [...(groups.get(title) ?? []), setting]);
  }
  return [...groups].map(([title, inGroup]) => ({ title: title === '' ? null : title, settings: inGroup }));
}

const typeOfValue = { text: 'string', long_text: 'string', color: 'string', choice: 'string', link: 'string', boolean: 'boolean', number: 'number' } as const;

/** The stored value if it still fits the setting, which may have another type since the theme was changed; else its default. */
export function valueOf(setting: ThemeSetting, stored: SettingValue | undefined): SettingValue {
  if (stored === undefined) return setting.default;
  if (setting.type === 'image') return typeof stored === 'string' ? stored : null;
  if (typeof stored !== typeOfValue[setting.type]) return setting.default;
  return setting.type === 'choice' && !setting.choices.some(({ value }) => value === stored) ? setting.default : stored;
}

const isLink = (text: string): boolean => /^(?:\/(?!\/)|#|https?:\/\/[^\s/]|mailto:\S|tel:\S)/i.test(text) && !/\s/.test(text);

/** Why a value cannot be stored; null if it can. `typed`: what is in the field. */
export function problemOf(setting: ThemeSetting, typed: SettingValue): SettingProblem | null {
  if (setting.type === 'number') return typeof typed === 'number' && typed >= setting.min && typed <= setting.max ? null : 'number';
  if (setting.type === 'color') return typeof typed === 'string' && isColor(typed) ? null : 'color';
  if (setting.type === 'text' || setting.type === 'long_text' || setting.type === 'link') {
    const text = String(typed ?? '');
    if (text.length > settingLengths[setting.type]) return 'tooLong';
    if (setting.type === 'link' && text !== '' && !isLink(text)) return 'link';
  }
  return null;
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours (`#rrggbb`) after WCAG 2, from 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** The least contrast of text that WCAG AA accepts. */
export const leastContrast = 4.5;
