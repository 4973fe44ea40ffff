import { useEffect, useState } from 'react';
import type { MouseEvent } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { forgetSessionEnded, hasSessionEnded } from '@/lib/signInAddress';
import { clearDrafts } from '@/lib/clearDrafts';
import { listenToTabs } from '@/lib/tabs';
import { post } from './call';
import { ConfirmEmail, ContactLink } from './Confirm';
import { ForgotPassword } from './ForgotPassword';
import { Frame } from './Frame';
import { Invite } from './Invite';
import { usePreferences } from './preferences';
import { Reset } from './Reset';
import { SecondStep } from './SecondStep';
import type { SecondStepState } from './SecondStep';
import { NotSetUp, SetUp } from './SetUp';
import type { Installation } from './SetUp';
import { SignIn } from './SignIn';
import { linkKindOf } from './token';
import type { LinkKind } from './token';
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
function useInstallation(needed: boolean, token: string | null): readonly [Installation, () => void] {
  const [state, setState] = useState<Installation>({ kind: 'unknown' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!needed) return undefined;
    let unmounted = false;
    void post<{ needed: boolean; tokenValid: boolean; mail: boolean }>(signCalls.setUpState.path, token === null ? {} : { token }).then((result) => {
      if (!unmounted) setState(result.ok ? { kind: 'known', ...result.data } : { kind: 'failed', failure: result.failure });
    });
    return () => {
      unmounted = true;
    };
  }, [needed, token, attempt]);
  return [state, () => setAttempt(attempt + 1)];
}

/** The path of the page; `go` changes it without loading. */
function usePath({ path: first, reload }: Place) {
  const [path, setPath] = useState(first);
  const kind = linkKindOf(path);
  // Another tab has signed in, and the cookie is shared. A link still belongs to whoever opened it, signed in or not.
  useEffect(() => {
    if (kind !== null) return undefined;
    return listenToTabs((message) => {
      // Of a session that has expired here.
      if (message.type === 'signedOut') clearDrafts(message.at);
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
  const go = (to: string) => {
    history.pushState(null, '', to);
    setPath(new URL(to, location.origin).pathname);
  };
  return { path, kind, go };
}

/** What the pages of a sign-in share, so that it survives going from one to another. */
function useAttempt() {
  const [login, setLogin] = useState('');
  const [remember, setRemember] = useState(false);
  const [second, setSecond] = useState<SecondStepState | null>(null);
  const [ended, setEnded] = useState(false);
  const [sessionEnded] = useState(hasSessionEnded);
  useEffect(forgetSessionEnded, []);
  return { login, setLogin, remember, setRemember, second, setSecond, ended, setEnded, sessionEnded };
}

type PageProps = {
  readonly place: Place;
  readonly installation: Installation;
  /** Fetches the state of the installation again. */
  readonly again: () => void;
};

/** The page of a one-time link. `toSignIn` receives the login name of the account. */
function LinkPage({ kind, place, installation, again, toSignIn }: PageProps & { readonly kind: LinkKind; readonly toSignIn: (login: string) => void }) {
  const { token, leave } = place;
  switch (kind) {
    case 'setup':
      return <SetUp state={installation} token={token} leave={leave} again={again} />;
    case 'invite':
      return <Invite token={token} leave={leave} />;
    case 'reset':
      return <Reset token={token} toSignIn={toSignIn} />;
    case 'email':
      return <ConfirmEmail token={token} />;
    case 'contact':
      return <ContactLink token={token} />;
  }
}

type SignInPageProps = PageProps & { readonly path: string; readonly attempt: ReturnType<typeof useAttempt>; readonly go: (to: string) => void };

/** The page without a link: signing in, its second step or the forgotten password. */
function SignInPage({ place, installation, again, path, attempt, go }: SignInPageProps) {
  const { leave } = place;
  const { login, setLogin, remember, setRemember, second, setSecond, ended, setEnded, sessionEnded } = attempt;
  const follow = (to: string) => (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  const signInHref = `/sign/${location.search}`;
  const forgotHref = `/sign/forgot${location.search}`;
  // The forms do not wait for the response: they are right for everybody except the very first visitor.
  if (installation.kind === 'known' && installation.needed) return <NotSetUp again={again} />;
  if (isForgot(path)) {
    return <ForgotPassword state={installation} again={again} login={login} onLogin={setLogin} signInHref={signInHref} toSignIn={follow(signInHref)} />;
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
}

/** Which sign page the address names. It switches between sign-in and forgotten password without loading, so that the input is preserved. */
export function SignPage({ place }: { readonly place: Place }) {
  const preferences = usePreferences();
  const attempt = useAttempt();
  const { path, kind, go: goTo } = usePath(place);
  const [installation, again] = useInstallation(kind === null || kind === 'setup', kind === 'setup' ? place.token : null);
  const shared = { place, installation, again };
  const go = (to: string) => {
    attempt.setEnded(false);
    goTo(to);
  };
  return (
    <LocaleContext value={preferences.locale}>
      <Frame preferences={preferences}>
        {kind === null ? (
          <SignInPage {...shared} path={path} attempt={attempt} go={go} />
        ) : (
          <LinkPage
            {...shared}
            kind={kind}
            toSignIn={(name) => {
              attempt.setLogin(name);
              go('/sign/');
            }}
          />
        )}
      </Frame>
    </LocaleContext>
  );
}
