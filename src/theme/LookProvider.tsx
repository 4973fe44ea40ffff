import { ThemeProvider, useColorScheme } from '@mui/material/styles';
import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectUser } from '@/features/account/userSlice';
import { changeLocale } from '@/i18n';
import { rememberPreferences } from '@/lib/preferences';
import type { ColorScheme, Preferences, Primary } from '@/lib/preferences';
import { useAppSelector } from '@/store/hooks';
import { makeTheme } from './theme';

/** Keeps MUI's scheme, the page's attributes and the browser's storage in sync with the person's choice. */
const Follow = ({ scheme, primary }: { scheme: ColorScheme; primary: Primary }) => {
  const { setMode } = useColorScheme();
  useEffect(() => setMode(scheme), [scheme, setMode]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-primary', false);
    if (primary === 'blue') document.documentElement.setAttribute('data-primary', 'blue');
    rememberPreferences({ scheme, primary });
  }, [scheme, primary]);
  return null;
};

/** Theme, scheme and language: the signed-in person's own, or those stored in this browser until they are loaded. */
export const LookProvider = ({ remembered, nonce, children }: { remembered: Preferences; nonce: string; children: ReactNode }) => {
  useTranslation();
  const user = useAppSelector(selectUser);
  const scheme = user?.colorScheme ?? remembered.scheme;
  const primary = user?.primary ?? remembered.primary;
  const locale = user?.locale;
  useEffect(() => {
    if (locale !== undefined) void changeLocale(locale);
  }, [locale]);
  const theme = useMemo(() => makeTheme(primary), [primary]);
  return (
    <ThemeProvider theme={theme} defaultMode={scheme} storageManager={null} noSsr {...(nonce === '' ? {} : { nonce })}>
      <Follow scheme={scheme} primary={primary} />
      {children}
    </ThemeProvider>
  );
};
