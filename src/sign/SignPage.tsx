import { useEffect, useState } from 'react';
import type { MouseEvent } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { forgetSessionEnded, hasSessionEnded } from '@/lib/signInAddress';
import { hearTabs } from '@/lib/tabs';
import { post } from './call';
import { ConfirmEmail, ContactLink } from './Confirm';
import { Forgot } from './Forgot';
import { Frame } from './Frame';
import { Invite } from './Invite';
import { usePreferences } from './preferences';
import { Reset } from './Reset';
import { SecondStep } from './SecondStep';
import type { Second } from './SecondStep';
import { NotSetUp, SetUp } from './SetUp';
import type { Installation } from './SetUp';
import { SignIn } from './SignIn';
import { linkKindOf } from './token';
import { LocaleContext } from './useMessages';

export type Place = {
  readonly path: string;
  /** The one-time token of the opened link, removed from the address by `takeToken`. */
  readonly token: string | null;
  readonly leave: (redirect: string) => void;
  /** Requests this address again. The server redirects a signed-in reader to the intended page. */
  readonly reload: () => void;
};

const isForgot = (path: string): boolean => /^\/sign\/forgot\/?$/.test(path);

/** State of this installation, fetched where needed. `again` retries. */
function useInstallation(wanted: boolean, token: string | null): readonly [Installation, () => void] {
  const [state, setState] = useState<Installation>({ kind: 'unknown' });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (!wanted) return undefined;
    let gone = false;
    void post<{ needed: boolean; tokenValid: boolean; mail: boolean }>(signCalls.setUpState.path, token === null ? {} : { token }).then((answer) => {
      if (!gone) setState(answer.ok ? { kind: 'known', ...answer.data } : { kind: 'failed', failure: answer.failure });
    });
    return () => {
      gone = true;
    };
  }, [wanted, token, asked]);
  return [state, () => setAsked(asked + 1)];
}

/** Which sign page the address names. It switches between sign-in and forgotten password without loading, so that the input is preserved. */
export function SignPage({ place }: { readonly place: Place }) {
  const preferences = usePreferences();
  const { token, leave, reload } = place;
  const [path, setPath] = useState(place.path);
  const [login, setLogin] = useState('');
  const [remember, setRemember] = useState(false);
  const [second, setSecond] = useState<Second | null>(null);
  const [ended, setEnded] = useState(false);
  const [sessionEnded] = useState(hasSessionEnded);
  useEffect(forgetSessionEnded, []);
  const kind = linkKindOf(path);
  const [installation, again] = useInstallation(kind === null || kind === 'setup', kind === 'setup' ? token : null);

  // Another tab has signed in, and the cookie is shared. A link still belongs to whoever opened it, signed in or not.
  useEffect(() => {
    if (kind !== null) return undefined;
    return hearTabs((message) => {
      if (message.type === 'signedIn') reload();
    });
  }, [kind, reload]);
  useEffect(() => {
    const back = () => setPath(location.pathname);
    // Pasting another link over this one changes the fragment only.
    const other = () => new URLSearchParams(location.hash.slice(1)).has('t') && reload();
    addEventListener('popstate', back);
    addEventListener('hashchange', other);
    return () => {
      removeEventListener('popstate', back);
      removeEventListener('hashchange', other);
    };
  }, [reload]);

  const search = kind === null ? location.search : '';
  const go = (to: string) => {
    history.pushState(null, '', to);
    setEnded(false);
    setPath(new URL(to, location.origin).pathname);
  };
  const follow = (to: string) => (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  const signInHref = `/sign/${search}`;
  const forgotHref = `/sign/forgot${search}`;

  const page = () => {
    switch (kind) {
      case 'setup':
        return <SetUp state={installation} token={token} leave={leave} again={again} />;
      case 'invite':
        return <Invite token={token} leave={leave} />;
      case 'reset':
        return (
          <Reset
            token={token}
            toSignIn={(name) => {
              setLogin(name);
              go('/sign/');
            }}
          />
        );
      case 'email':
        return <ConfirmEmail token={token} />;
      case 'contact':
        return <ContactLink token={token} />;
      case null:
        break;
    }
    // The forms do not wait for the response: they are right for everybody except the very first visitor.
    if (installation.kind === 'known' && installation.needed) return <NotSetUp again={again} />;
    if (isForgot(path)) {
      return <Forgot state={installation} again={again} login={login} onLogin={setLogin} signInHref={signInHref} toSignIn={follow(signInHref)} />;
    }
    if (second) {
      return (
        <SecondStep
          second={second}
          leave={leave}
          back={(over) => {
            setSecond(null);
            setEnded(over);
          }}
        />
      );
    }
    return (
      <SignIn
        leave={leave}
        login={login}
        onLogin={setLogin}
        remember={remember}
        onRemember={setRemember}
        ended={ended}
        sessionEnded={sessionEnded}
        onSecond={setSecond}
        forgotHref={forgotHref}
        toForgot={follow(forgotHref)}
      />
    );
  };
  return (
    <LocaleContext value={preferences.locale}>
      <Frame preferences={preferences}>{page()}</Frame>
    </LocaleContext>
  );
}
