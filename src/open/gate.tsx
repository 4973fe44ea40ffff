import { useState } from 'react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import type { UiLocale } from '@/lib/preferences';
import { LanguageChoice } from '@/sign/LanguageChoice';
import { usePreferences } from '@/sign/preferences';
import type { Link } from './call';
import { LocaleContext, useMessages, messagesOf } from './useMessages';

/** The form for the password of a link. */
export const Password = ({ link, onOpen }: { readonly link: Link; readonly onOpen: () => void }): ReactElement => {
  const messages = useMessages();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<'wrong' | 'tooMany' | 'offline' | 'failed' | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || password === '') return;
    setBusy(true);
    const result = await link.unlock(password);
    setBusy(false);
    if (result.ok || result.status === 404 || result.status === 410) return onOpen();
    setError(result.status === 401 ? 'wrong' : result.status === 429 ? 'tooMany' : result.status === 0 ? 'offline' : 'failed');
  };
  return (
    <form className="gate" onSubmit={(event) => void submit(event)}>
      <h1>{messages.passwordTitle}</h1>
      <p>{messages.passwordText}</p>
      <label htmlFor="password">{messages.password}</label>
      {/* This field is the only purpose of the page. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <input
        id="password"
        type="password"
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        aria-invalid={error === 'wrong'}
        aria-describedby="gate-error"
      />
      <p id="gate-error" role="alert">
        {error === null ? '' : messages[error]}
      </p>
      <button type="submit" className="main" aria-busy={busy}>
        {messages.open}
      </button>
    </form>
  );
};

/** The frame of any link's page, in the reader's language, with a language switch. */
export const Frame = ({ children }: { readonly children: (locale: UiLocale) => ReactNode }): ReactElement => {
  const { locale, setLocale } = usePreferences();
  return (
    <LocaleContext value={locale}>
      <header className="top">
        <LanguageChoice locale={locale} setLocale={setLocale} label={messagesOf[locale].language} />
      </header>
      {children(locale)}
    </LocaleContext>
  );
};
