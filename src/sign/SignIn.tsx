import { useEffect, useRef, useState } from 'react';
import type { MouseEvent } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { safeRedirect } from '@contract/redirect';
import type { SignIn as SignInBody, SignedIn } from '@contract/session/schemas';
import { loadPasskeys, passkeysWork, stopAsking } from '@/lib/passkeys';
import { tellTabs } from '@/lib/tabs';
import { fieldErrorMessage } from './fieldErrorMessage';
import { signInByPasskey, wantedRedirect } from './passkey';
import type { PasskeySignIn } from './passkey';
import { Alert, FormAlert, PasswordField, TextField, Title } from './parts';
import type { Second } from './SecondStep';
import { useSubmit } from './useSubmit';
import type { Faults } from './useSubmit';
import { useMessages } from './useMessages';

/** Navigates to the address that the server returned. The server checked it; the same function checks it again here. */
export const leaveFor = (redirect: string): void => location.assign(safeRedirect(redirect, location.origin));

type Props = {
  readonly leave: (redirect: string) => void;
  readonly login: string;
  readonly onLogin: (login: string) => void;
  readonly remember: boolean;
  readonly onRemember: (remember: boolean) => void;
  /** The second step of the last attempt expired. */
  readonly ended: boolean;
  /** The session expired without a sign-out here. */
  readonly sessionEnded: boolean;
  readonly onSecond: (second: Second) => void;
  readonly forgotHref: string;
  readonly toForgot: (event: MouseEvent) => void;
};

/** Whether the browser offers passkeys among the suggestions of a field. */
async function offersInFields(): Promise<boolean> {
  if (!passkeysWork()) return false;
  const { isConditionalMediationAvailable: ask } = PublicKeyCredential as { isConditionalMediationAvailable?: () => Promise<boolean> };
  return (await ask?.().catch(() => false)) ?? false;
}

/** Signs in by login name or e-mail, or by a passkey alone. On any failure the input is preserved. */
export function SignIn({ leave, login, onLogin, remember, onRemember, ended, sessionEnded, onSecond, forgotHref, toForgot }: Props) {
  const messages = useMessages();
  const [password, setPassword] = useState('');
  const [leaving, setLeaving] = useState(false);
  const [asking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<'passkeyCancelled' | 'passkeyRefused' | null>(null);
  const { form, faults, failure, busy, secondsLeft, clear, setFailure, send, onSubmit } = useSubmit(['login', 'password']);
  const loginBox = useRef<HTMLInputElement>(null);
  const passwordBox = useRef<HTMLInputElement>(null);
  const remembered = useRef(remember);
  const s = messages.signIn;

  const enter = (redirect: string) => {
    setLeaving(true);
    tellTabs({ type: 'signedIn' });
    leave(redirect);
  };
  // Password managers fill fields without notifying React: the DOM values count.
  const typed = () => ({ login: loginBox.current?.value.trim() ?? login, password: passwordBox.current?.value ?? password });
  const check = (): Faults<'login' | 'password'> => {
    const { login: name, password: word } = typed();
    return { ...(name === '' && { login: { code: 'required' } }), ...(word === '' && { password: { code: 'required' } }) };
  };
  const go = async () => {
    setTrouble(null);
    const now = typed();
    const body: SignInBody = { ...now, remember, ...wantedRedirect() };
    const answer = await send<SignedIn>(signCalls.signIn.path, body, ['bad_credentials']);
    if (answer === null) return undefined;
    if (!answer.ok) {
      setFailure(answer.failure);
      // Which of the two was wrong is not revealed (no hint whether an account exists); the password is more likely.
      passwordBox.current?.focus();
      return passwordBox.current?.select();
    }
    if ('redirect' in answer.data) return enter(answer.data.redirect);
    onLogin(now.login);
    return onSecond({ ...answer.data, login: now.login, remember });
  };

  const settle = (result: PasskeySignIn) => {
    setAsking(false);
    if (result.kind === 'in') return enter(result.redirect);
    if (result.kind === 'failed') return setFailure(result.failure);
    return setTrouble(result.kind === 'cancelled' ? 'passkeyCancelled' : 'passkeyRefused');
  };
  const byPasskey = async () => {
    if (asking || busy || leaving) return;
    setAsking(true);
    setTrouble(null);
    setFailure(null);
    settle(await signInByPasskey({ remember: () => remembered.current }));
  };
  // The browser offers its passkeys in the login field. A failure is silent: the person has not started anything yet.
  useEffect(() => {
    let gone = false;
    let offered = false;
    const offer = async () => {
      if (!passkeysWork()) return;
      await loadPasskeys().catch(() => undefined);
      if (!(await offersInFields()) || gone) return;
      offered = true;
      const result = await signInByPasskey({ remember: () => remembered.current, autofill: true });
      if (!gone && (result.kind === 'in' || result.kind === 'refused')) settle(result);
    };
    void offer();
    return () => {
      gone = true;
      // A late answer would sign in behind the second step.
      if (offered) void stopAsking().catch(() => undefined);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const label = leaving ? s.redirecting : busy ? s.busy : s.submit;
  return (
    <form className="card" method="post" action="/sign/" ref={form} onSubmit={(event) => onSubmit(event, check, go)} noValidate aria-labelledby="title">
      <Title>{s.title}</Title>
      <p className="lead">{messages.tagline}</p>
      {sessionEnded && !ended && (
        <p className="note" role="status">
          {s.sessionEnded}
        </p>
      )}
      {failure ? <FormAlert failure={failure} secondsLeft={secondsLeft} /> : ended && <Alert>{s.ended}</Alert>}
      <TextField
        ref={loginBox}
        label={s.login}
        name="username"
        data-field="login"
        autoComplete="username webauthn"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        autoFocus={login === ''}
        maxLength={254}
        value={login}
        onValue={(value) => {
          onLogin(value);
          clear('login');
        }}
        error={faults.login && fieldErrorMessage(messages, 'login', faults.login)}
      />
      <PasswordField
        ref={passwordBox}
        label={s.password}
        name="password"
        data-field="password"
        autoComplete="current-password"
        autoFocus={login !== ''}
        maxLength={128}
        value={password}
        onValue={(value) => {
          setPassword(value);
          clear('password');
        }}
        error={faults.password && fieldErrorMessage(messages, 'password', faults.password)}
      />
      <label className="check">
        <input
          type="checkbox"
          name="remember"
          checked={remember}
          aria-describedby="remember-help"
          onChange={(event) => {
            remembered.current = event.target.checked;
            onRemember(event.target.checked);
          }}
        />
        <span>{s.remember}</span>
      </label>
      <p id="remember-help" className="note indented">
        {s.rememberHelp}
      </p>
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy || leaving}>
        {label}
      </button>
      {passkeysWork() && (
        <>
          <p className="or">{s.or}</p>
          <button type="button" className="secondary" aria-disabled={asking} onClick={() => void byPasskey()}>
            {s.passkey}
          </button>
          {trouble && (
            <p role="alert" className="note bad">
              {s[trouble]}
            </p>
          )}
        </>
      )}
      <a className="text-link" href={forgotHref} onClick={toForgot}>
        {s.forgot}
      </a>
    </form>
  );
}
