import { useEffect, useState } from 'react';
import { rememberedPreferences, rememberPreferences } from '@/lib/preferences';
import type { ColorScheme, UiLocale } from '@/lib/preferences';

export type Preferences = {
  readonly locale: UiLocale;
  readonly scheme: ColorScheme;
  readonly setLocale: (locale: UiLocale) => void;
  readonly setScheme: (scheme: ColorScheme) => void;
};

/** Language and colour scheme: stored in this browser, shared with the console, and applied immediately. */
export function usePreferences(): Preferences {
  const [now, setNow] = useState(rememberedPreferences);
  const { locale, scheme } = now;

  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);

  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => document.documentElement.setAttribute('data-scheme', scheme === 'dark' || (scheme === 'system' && system.matches) ? 'dark' : 'light');
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [scheme]);

  const put = (change: Partial<Pick<Preferences, 'locale' | 'scheme'>>) => {
    rememberPreferences(change);
    setNow({ ...now, ...change });
  };
  return { locale, scheme, setLocale: (next) => put({ locale: next }), setScheme: (next) => put({ scheme: next }) };
}
