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
 * The language to begin with where nothing is remembered: of Chinese and English the one that the browser's reader prefers, Chinese where
 * they name neither. `public/theme-init.js` has the same rule for the time before the first script.
 */
const preferredLocale = (): UiLocale => {
  const first = navigator.languages.find((language) => /^(zh|en)\b/i.test(language)) ?? 'zh';
  return /^en/i.test(first) ? 'en' : 'zh-CN';
};

/** What this browser remembers; the signed-in person's own choice replaces it once it is known. */
export const rememberedPreferences = (): Preferences => ({
  locale: read(preferenceKeys.locale, ['zh-CN', 'en'], preferredLocale()),
  scheme: read(preferenceKeys.scheme, ['system', 'light', 'dark'], 'system'),
  primary: read(preferenceKeys.primary, ['grey', 'blue'], 'grey'),
});

export function rememberPreferences(preferences: Partial<Preferences>): void {
  try {
    for (const [name, value] of Object.entries(preferences)) localStorage.setItem(preferenceKeys[name as keyof Preferences], value);
  } catch {
    // A browser that remembers nothing still shows the choice until the page is left.
  }
}
