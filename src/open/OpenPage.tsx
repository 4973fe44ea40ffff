import { useCallback, useEffect, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import type { OpenView } from '@contract/tableShares';
import type { UiLocale } from '@/lib/preferences';
import { usePreferences } from '@/sign/preferences';
import type { Link } from './call';
import { ViewPage } from './ViewPage';
import { LocaleContext, useWords, wordsOf } from './words';

type State = { readonly kind: 'loading' | 'ended' | 'failed' | 'locked' } | { readonly kind: 'open'; readonly view: OpenView };

const Password = ({ link, onOpen }: { readonly link: Link; readonly onOpen: () => void }): ReactElement => {
  const words = useWords();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<'wrong' | 'tooMany' | 'offline' | 'failed' | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || password === '') return;
    setBusy(true);
    const answer = await link.unlock(password);
    setBusy(false);
    if (answer.ok || answer.status === 404 || answer.status === 410) return onOpen();
    setFault(answer.status === 401 ? 'wrong' : answer.status === 429 ? 'tooMany' : answer.status === 0 ? 'offline' : 'failed');
  };
  return (
    <form className="gate" onSubmit={(event) => void submit(event)}>
      <h1>{words.passwordTitle}</h1>
      <p>{words.passwordText}</p>
      <label htmlFor="password">{words.password}</label>
      {/* Whoever opens this page has come for this one field. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <input
        id="password"
        type="password"
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        aria-invalid={fault === 'wrong'}
        aria-describedby="fault"
      />
      <p id="fault" role="alert">
        {fault === null ? '' : words[fault]}
      </p>
      <button type="submit" className="main" aria-busy={busy}>
        {words.open}
      </button>
    </form>
  );
};

const Gate = ({ link, locale }: { readonly link: Link; readonly locale: UiLocale }): ReactElement => {
  const words = useWords();
  const [state, setState] = useState<State>({ kind: 'loading' });
  const open = useCallback(async () => {
    const answer = await link.get<OpenView>('/api/view', locale);
    if (!answer.ok) return setState({ kind: answer.status === 404 || answer.status === 410 ? 'ended' : 'failed' });
    return setState(answer.data.needsPassword ? { kind: 'locked' } : { kind: 'open', view: answer.data });
  }, [link, locale]);
  useEffect(() => void open(), [open]);
  const lost = useCallback(() => void open(), [open]);
  const title = state.kind === 'open' ? state.view.title : '';
  useEffect(() => {
    document.title = title === '' ? words.product : title;
  }, [title, words]);
  switch (state.kind) {
    case 'open':
      return <ViewPage link={link} view={state.view} onLost={lost} />;
    case 'locked':
      return (
        <main className="middle">
          <Password link={link} onOpen={lost} />
        </main>
      );
    case 'ended':
      return (
        <main className="middle">
          <div className="gate">
            <h1>{words.endedTitle}</h1>
            <p>{words.endedText}</p>
          </div>
        </main>
      );
    case 'failed':
      return (
        <main className="middle">
          <div className="gate">
            <p role="alert">{words.failed}</p>
            <button type="button" className="main" onClick={lost}>
              {words.retry}
            </button>
          </div>
        </main>
      );
    case 'loading':
      return (
        <main className="middle">
          <p role="status">{words.loading}</p>
        </main>
      );
  }
};

/** The page of a link to a view: what it shows, in the reader's language. */
export const OpenPage = ({ link }: { readonly link: Link }): ReactElement => {
  const { locale, setLocale } = usePreferences();
  return (
    <LocaleContext value={locale}>
      <header className="top">
        <div role="group" aria-label={wordsOf[locale].language}>
          <button type="button" lang="zh-CN" aria-pressed={locale === 'zh-CN'} onClick={() => setLocale('zh-CN')}>
            中文
          </button>
          <button type="button" lang="en" aria-pressed={locale === 'en'} onClick={() => setLocale('en')}>
            English
          </button>
        </div>
      </header>
      <Gate link={link} locale={locale} />
    </LocaleContext>
  );
};
