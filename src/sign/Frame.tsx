import type { ReactNode } from 'react';
import type { ColorScheme } from '@/lib/preferences';
import { LogoMark } from '@/ui/Logo';
import { DayLine } from './DayLine';
import { LanguageChoice } from './LanguageChoice';
import type { Preferences } from './preferences';
import { useMessages, fill } from './useMessages';

const nextScheme: Readonly<Record<ColorScheme, ColorScheme>> = { system: 'light', light: 'dark', dark: 'system' };

/** Half-filled circle: system; sun: light; moon: dark. */
function SchemeIcon({ scheme }: { readonly scheme: ColorScheme }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" aria-hidden="true">
      {scheme === 'system' && (
        <>
          <circle cx="10" cy="10" r="6.5" />
          <path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" stroke="none" />
        </>
      )}
      {scheme === 'light' && (
        <>
          <circle cx="10" cy="10" r="3.5" />
          <path d="M10 1.8v1.6M10 16.6v1.6M1.8 10h1.6M16.6 10h1.6M4.2 4.2l1.1 1.1M14.7 14.7l1.1 1.1M4.2 15.8l1.1-1.1M14.7 5.3l1.1-1.1" />
        </>
      )}
      {scheme === 'dark' && <path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3z" />}
    </svg>
  );
}

/** The frame of every sign page: name, language and colour scheme above; the day's line below. */
export function Frame({ preferences, children }: { readonly preferences: Preferences; readonly children: ReactNode }) {
  const messages = useMessages();
  const { locale, scheme, setLocale, setScheme } = preferences;
  const schemeLabel = fill(messages.scheme.label, { scheme: messages.scheme[scheme] });
  return (
    <div className="page">
      <header className="top">
        <span className="brand">
          <LogoMark />
          {messages.product}
        </span>
        <div className="choices">
          <LanguageChoice locale={locale} setLocale={setLocale} label={messages.language} className="languages" />
          <button type="button" className="icon" aria-label={schemeLabel} title={schemeLabel} onClick={() => setScheme(nextScheme[scheme])}>
            <SchemeIcon scheme={scheme} />
          </button>
        </div>
      </header>
      <main className="middle">{children}</main>
      <DayLine />
    </div>
  );
}
