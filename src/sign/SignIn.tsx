import { useEffect, useRef, useState } from 'react';
import type { MouseEvent } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { safeRedirect } from '@contract/redirect';
import type { SignIn as SignInBody, SignedIn } from '@contract/session/schemas';
import { loadPasskeys, passkeysWork, cancelPasskeyRequest } from '@/lib/passkeys';
import { broadcastToTabs } from '@/lib/tabs';
import type { Failure } from './call';
import { fieldErrorMessage } from './fieldErrorMessage';
import { signInByPasskey, requestedRedirect } from './passkey';
import type { PasskeySignIn } from './passkey';
import { Alert, FormAlert, PasswordField, TextField, Title } from './parts';
import type { SecondStepState } from './SecondStep';
import { useSubmit } from './useSubmit';
import type { FieldErrors } from './useSubmit';
import { useMessages } from './useMessages';

/** Navigates to the address that the server returned. The server checked it; the same function checks it again here. */
export const navigateTo = (redirect: string): void => location.assign(safeRedirect(redirect, location.origin));

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
  readonly onSecond: (second: SecondStepState) => void;
  readonly forgotHref: string;
  readonly toForgot: (event: MouseEvent) => void;
};

/** Whether the browser offers passkeys among the suggestions of a field. */
async function offersInFields(): Promise<boolean> {
  if (!passkeysWork()) return false;
  const { isConditionalMediationAvailable: ask } = PublicKeyCredential as { isConditionalMediationAvailable?: () => Promise<boolean> };
  return (await ask?.().catch(() => false)) ?? false;
}

type Trouble = 'passkeyCancelled' | 'passkeyRefused';
type PasskeyOptions = {
  /** Read when the passkey is used: until then the box can be ticked. */
  readonly remember: () => boolean;
  readonly onEntered: (redirect: string) => void;
  readonly onFailure: (failure: Failure | null) => void;
};

/** Signing in by a passkey: at the press of the button, or chosen among the suggestions of the login field. */
function usePasskeySignIn({ remember, onEntered, onFailure }: PasskeyOptions) {
  const [asking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const finish = (result: PasskeySignIn) => {
    setAsking(false);
    if (result.kind === 'in') return onEntered(result.redirect);
    if (result.kind === 'failed') return onFailure(result.failure);
    return setTrouble(result.kind === 'cancelled' ? 'passkeyCancelled' : 'passkeyRefused');
  };
  const ask = async () => {
    setAsking(true);
    setTrouble(null);
    onFailure(null);
    finish(await signInByPasskey({ remember }));
  };
  // The browser offers its passkeys in the login field. A failure is silent: the person has not started anything yet.
  useEffect(() => {
    let unmounted = false;
    let offered = false;
    const offer = async () => {
      if (!passkeysWork()) return;
      await loadPasskeys().catch(() => undefined);
      if (!(await offersInFields()) || unmounted) return;
      offered = true;
      const result = await signInByPasskey({ remember, autofill: true });
      if (!unmounted && (result.kind === 'in' || result.kind === 'refused')) finish(result);
    };
    void offer();
    return () => {
      unmounted = true;
      // A late answer would sign in behind the second step.
      if (offered) void cancelPasskeyRequest().catch(() => undefined);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return { asking, trouble, setTrouble, ask };
}

type Credentials = { readonly login: string; readonly password: string };

/** Name and password, their check and the call; the answer leads on to the requested page or to the second step. */
function useCredentials({ leave, login, onLogin, remember, onSecond }: Pick<Props, 'leave' | 'login' | 'onLogin' | 'remember' | 'onSecond'>) {
  const [password, setPassword] = useState('');
  const [leaving, setLeaving] = useState(false);
  const submission = useSubmit(['login', 'password']);
  const { setFailure, send } = submission;
  const loginBox = useRef<HTMLInputElement>(null);
  const passwordBox = useRef<HTMLInputElement>(null);

  const enter = (redirect: string) => {
    setLeaving(true);
    broadcastToTabs({ type: 'signedIn' });
    leave(redirect);
  };
  // Password managers fill fields without notifying React: the DOM values count.
  const typed = (): Credentials => ({ login: loginBox.current?.value.trim() ?? login, password: passwordBox.current?.value ?? password });
  const check = (): FieldErrors<keyof Credentials> => {
    const { login: name, password: secret } = typed();
    return { ...(name === '' && { login: { code: 'required' } }), ...(secret === '' && { password: { code: 'required' } }) };
  };
  const signIn = async () => {
    const credentials = typed();
    const body: SignInBody = { ...credentials, remember, ...requestedRedirect() };
    const result = await send<SignedIn>(signCalls.signIn.path, body, ['bad_credentials']);
    if (result === null) return undefined;
    if (!result.ok) {
      setFailure(result.failure);
      // Which of the two was wrong is not revealed (no hint whether an account exists); the password is more likely.
      passwordBox.current?.focus();
      return passwordBox.current?.select();
    }
    if ('redirect' in result.data) return enter(result.data.redirect);
    onLogin(credentials.login);
    return onSecond({ ...result.data, login: credentials.login, remember });
  };
  return { ...submission, loginBox, passwordBox, password, setPassword, leaving, enter, check, signIn };
}

type CredentialFieldsProps = Pick<Props, 'login' | 'onLogin'> & { readonly credentials: ReturnType<typeof useCredentials> };

function CredentialFields({ login, onLogin, credentials }: CredentialFieldsProps) {
  const messages = useMessages();
  const s = messages.signIn;
  const { loginBox, passwordBox, password, setPassword, errors, clear } = credentials;
  return (
    <>
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
        error={errors.login && fieldErrorMessage(messages, 'login', errors.login)}
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
        error={errors.password && fieldErrorMessage(messages, 'password', errors.password)}
      />
    </>
  );
}

function RememberBox({ checked, onCheck }: { readonly checked: boolean; readonly onCheck: (checked: boolean) => void }) {
  const s = useMessages().signIn;
  return (
    <>
      <label className="check">
        <input type="checkbox" name="remember" checked={checked} aria-describedby="remember-help" onChange={(event) => onCheck(event.target.checked)} />
        <span>{s.remember}</span>
      </label>
      <p id="remember-help" className="note indented">
        {s.rememberHelp}
      </p>
    </>
  );
}

function PasskeyButton({ asking, trouble, onAsk }: { readonly asking: boolean; readonly trouble: Trouble | null; readonly onAsk: () => void }) {
  const s = useMessages().signIn;
  return (
    <>
      <p className="or">{s.or}</p>
      <button type="button" className="secondary" aria-disabled={asking} onClick={onAsk}>
        {s.passkey}
      </button>
      {trouble && (
        <p role="alert" className="note bad">
          {s[trouble]}
        </p>
      )}
    </>
  );
}

/** Signs in by login name or e-mail, or by a passkey alone. On any failure the input is preserved. */
export function SignIn(props: Props) {
  const { login, onLogin, remember, onRemember, ended, sessionEnded, forgotHref, toForgot } = props;
  const messages = useMessages();
  const s = messages.signIn;
  const credentials = useCredentials(props);
  const { form, failure, busy, secondsLeft, setFailure, onSubmit, leaving, enter, check, signIn } = credentials;
  const remembered = useRef(remember);
  const passkey = usePasskeySignIn({ remember: () => remembered.current, onEntered: enter, onFailure: setFailure });

  const start = () => {
    passkey.setTrouble(null);
    return signIn();
  };
  const byPasskey = () => {
    if (!passkey.asking && !busy && !leaving) void passkey.ask();
  };
  const label = leaving ? s.redirecting : busy ? s.busy : s.submit;
  return (
    <form className="card" method="post" action="/sign/" ref={form} onSubmit={(event) => onSubmit(event, check, start)} noValidate aria-labelledby="title">
      <Title>{s.title}</Title>
      <p className="lead">{messages.tagline}</p>
      {sessionEnded && !ended && (
        <p className="note" role="status">
          {s.sessionEnded}
        </p>
      )}
      {failure ? <FormAlert failure={failure} secondsLeft={secondsLeft} /> : ended && <Alert>{s.ended}</Alert>}
      <CredentialFields login={login} onLogin={onLogin} credentials={credentials} />
      <RememberBox
        checked={remember}
        onCheck={(checked) => {
          remembered.current = checked;
          onRemember(checked);
        }}
      />
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy || leaving}>
        {label}
      </button>
      {passkeysWork() && <PasskeyButton asking={passkey.asking} trouble={passkey.trouble} onAsk={byPasskey} />}
      <a className="text-link" href={forgotHref} onClick={toForgot}>
        {s.forgot}
      </a>
    </form>
  );
}
