import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectUser } from '@/features/account/userSlice';
import { changeLocale } from '@/i18n';
import { rememberPreferences } from '@/lib/preferences';
import type { Preferences } from '@/lib/preferences';
import { useMedia } from '@/lib/useMedia';
import { useAppSelector } from '@/store/hooks';
import { LookContext } from './lookContext';

/**
 * Scheme, colour and language: the signed-in person's own, or those stored in this browser until they are loaded. Keeps the page's attributes and the
 * browser's storage in sync with them; MUI's theme follows in `MuiLook`.
 */
export const LookProvider = ({ remembered, nonce, children }: { remembered: Preferences; nonce: string; children: ReactNode }) => {
  useTranslation();
  const user = useAppSelector(selectUser);
  const scheme = user?.colorScheme ?? remembered.scheme;
  const primary = user?.primary ?? remembered.primary;
  const locale = user?.locale;
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const isDark = scheme === 'dark' || (scheme === 'system' && systemIsDark);
  useEffect(() => {
    if (locale !== undefined) void changeLocale(locale);
  }, [locale]);
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset['scheme'] = isDark ? 'dark' : 'light';
    if (primary === 'blue') dataset['primary'] = 'blue';
    else delete dataset['primary'];
    rememberPreferences({ scheme, primary });
  }, [isDark, scheme, primary]);
  const look = useMemo(() => ({ primary, nonce }), [primary, nonce]);
  return <LookContext value={look}>{children}</LookContext>;
};
