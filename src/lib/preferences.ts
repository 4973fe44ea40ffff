import type { User } from '@contract/session/schemas';

export type UiLocale = User['locale'];
export type ColorScheme = User['colorScheme'];
export type Primary = User['primary'];
export type Preferences = { locale: UiLocale; scheme: ColorScheme; primary: Primary };

/** Read by `public/theme-init.js` before the first paint; the sign page uses the same entries. */
export const preferenceKeys = { locale: 'console:locale', scheme: 'console:scheme', primary: 'console:primary' } as const;

const read = <T extends string>(key: string, allowed: readonly T[], otherwise: T): T => {
  try {
    const value = localStorage.getItem(key);
    return (allowed as readonly string[]).includes(value ?? '') ? (value as T) : otherwise;
  } catch {
    return otherwise;
  }
};

/**
 * The initial language if none is remembered: whichever of Chinese and English the browser prefers, Chinese if it names neither.
 * `public/theme-init.js` applies the same rule before the first script.
 */
const preferredLocale = (): UiLocale => {
  const first = navigator.languages.find((language) => /^(zh|en)\b/i.test(language)) ?? 'zh';
  return /^en/i.test(first) ? 'en' : 'zh-CN';
};

/** Preferences stored in this browser; the signed-in person's own replace them once loaded. */
export const rememberedPreferences = (): Preferences => ({
  locale: read(preferenceKeys.locale, ['zh-CN', 'en'], preferredLocale()),
  scheme: read(preferenceKeys.scheme, ['system', 'light', 'dark'], 'system'),
  primary: read(preferenceKeys.primary, ['grey', 'blue'], 'grey'),
});

export function rememberPreferences(preferences: Partial<Preferences>): void {
  try {
    for (const [name, value] of Object.entries(preferences)) localStorage.setItem(preferenceKeys[name as keyof Preferences], value);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
