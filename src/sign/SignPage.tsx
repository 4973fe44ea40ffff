import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { hearTabs } from '@/lib/tabs';
import { post } from './call';
import type { Failure } from './call';
import { Frame } from './Frame';
import { FormAlert } from './parts';
import { usePreferences } from './preferences';
import { SetUp } from './SetUp';
import { SignIn } from './SignIn';
import { LocaleContext, useWords } from './words';

export type Place = {
  readonly path: string;
  /** The one-time token of a set-up link, taken out of the address by `takeToken`. */
  readonly token: string | null;
  readonly leave: (redirect: string) => void;
  /** Asks the server for this address once more. It leads a reader who is signed in on to where they wanted to go. */
  readonly reload: () => void;
};

type State =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'known'; readonly needed: boolean; readonly tokenValid: boolean };

function Message({ title, text, children }: { readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <section className="card" aria-labelledby="title">
      <h1 id="title">{title}</h1>
      <p className="text">{text}</p>
      {children}
    </section>
  );
}

function NotSetUp({ again }: { readonly again: () => void }) {
  const w = useWords().notSetUp;
  return (
    <Message title={w.title} text={w.text}>
      <pre className="sample">{`${location.origin}/sign/setup#t=…`}</pre>
      <p className="text">{w.way}</p>
      <button type="button" className="secondary" onClick={again}>
        {w.again}
      </button>
    </Message>
  );
}

function SetUpPlace({
  state,
  token,
  leave,
  again,
}: {
  readonly state: State;
  readonly token: string | null;
  readonly leave: Place['leave'];
  readonly again: () => void;
}) {
  const words = useWords();
  if (state.kind === 'unknown')
    return (
      <p className="card waiting" role="status">
        {words.setUp.checking}
      </p>
    );
  if (state.kind === 'failed') {
    return (
      <section className="card">
        <FormAlert failure={state.failure} secondsLeft={0} />
        <button type="button" className="secondary" onClick={again}>
          {words.errors.retry}
        </button>
      </section>
    );
  }
  if (!state.needed) {
    return (
      <Message title={words.alreadySetUp.title} text={words.alreadySetUp.text}>
        <a className="primary" href="/sign/">
          {words.alreadySetUp.action}
        </a>
      </Message>
    );
  }
  if (token === null) return <NotSetUp again={again} />;
  if (state.tokenValid) return <SetUp token={token} leave={leave} refused={again} />;
  return (
    <Message title={words.badToken.title} text={words.badToken.text}>
      <p className="text">{words.badToken.way}</p>
      <pre className="sample">{`${location.origin}/sign/setup#t=…`}</pre>
    </Message>
  );
}

/** Which of the sign pages to show: `/sign/setup` for the first owner, everything else signs in. */
export function SignPage({ place }: { readonly place: Place }) {
  const preferences = usePreferences();
  const { token, leave, reload } = place;
  const [state, setState] = useState<State>({ kind: 'unknown' });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let gone = false;
    void post<{ needed: boolean; tokenValid: boolean }>('/api/acc/sign/setup-state', token === null ? {} : { token }).then((answer) => {
      if (!gone) setState(answer.ok ? { kind: 'known', ...answer.data } : { kind: 'failed', failure: answer.failure });
    });
    return () => {
      gone = true;
    };
  }, [token, asked]);
  const again = () => setAsked(asked + 1);

  const isSetUp = /^\/sign\/setup\/?$/.test(place.path);
  // Another tab has signed in, and the cookie is this tab's too.
  useEffect(() => {
    if (isSetUp) return undefined;
    return hearTabs((message) => {
      if (message.type === 'signedIn') reload();
    });
  }, [isSetUp, reload]);
  const noAccount = state.kind === 'known' && state.needed;
  return (
    <LocaleContext value={preferences.locale}>
      <Frame preferences={preferences}>
        {isSetUp && <SetUpPlace state={state} token={token} leave={leave} again={again} />}
        {/* The form does not wait for the answer: it is right for everybody but the very first visitor. */}
        {!isSetUp && (noAccount ? <NotSetUp again={again} /> : <SignIn leave={leave} />)}
      </Frame>
    </LocaleContext>
  );
}
