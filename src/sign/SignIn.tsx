import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { safeRedirect } from '@contract/redirect';
import type { SignIn as SignInBody } from '@contract/session';
import { tellTabs } from '@/lib/tabs';
import { post } from './call';
import type { Failure } from './call';
import { fieldWords } from './fieldWords';
import { FormAlert, PasswordField, TextField, useCountdown } from './parts';
import { useWords } from './words';

type Faults = { readonly login?: string; readonly password?: string };

/** Leaves for the address the server answered. It was checked there; the same function checks it once more here. */
export const leaveFor = (redirect: string): void => location.assign(safeRedirect(redirect, location.origin));

/** Sign in by login name or e-mail. Whatever fails, what was typed stays. */
export function SignIn({ leave }: { readonly leave: (redirect: string) => void }) {
  const words = useWords();
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [phase, setPhase] = useState<'idle' | 'busy' | 'leaving'>('idle');
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [secondsLeft, wait] = useCountdown();
  const loginBox = useRef<HTMLInputElement>(null);
  const passwordBox = useRef<HTMLInputElement>(null);

  const point = (found: Faults) => {
    setFaults(found);
    (found.login === undefined ? passwordBox : loginBox).current?.focus();
  };

  const fail = (why: Failure) => {
    setPhase('idle');
    if (why.kind === 'network') return setFailure(why);
    if (why.status === 429) wait(why.retryAfter ?? 60);
    const at = (name: 'login' | 'password') => (why.fields[name] ? { [name]: fieldWords(words, name, why.fields[name]) } : {});
    const found: Faults = { ...at('login'), ...at('password') };
    if (Object.keys(found).length > 0) return point(found);
    setFailure(why);
    // Which of the two was wrong is not said (no hint whether an account exists); the password is the likelier one.
    if (why.code === 'bad_credentials') {
      passwordBox.current?.focus();
      passwordBox.current?.select();
    }
    return undefined;
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (phase !== 'idle' || secondsLeft > 0) return;
    setFailure(null);
    setFaults({});
    // Managers fill fields without telling React: what stands in them counts.
    const typed = { login: loginBox.current?.value.trim() ?? login, password: passwordBox.current?.value ?? password };
    if (typed.login === '' || typed.password === '') {
      point({ ...(typed.login === '' && { login: words.fields.login }), ...(typed.password === '' && { password: words.fields.password }) });
      return;
    }
    setPhase('busy');
    const wanted = new URLSearchParams(location.search).get('redirect');
    const body: SignInBody = { ...typed, remember, ...(wanted !== null && { redirect: wanted }) };
    const answer = await post<{ redirect: string }>('/api/acc/sign/in', body);
    if (!answer.ok) return fail(answer.failure);
    setPhase('leaving');
    tellTabs({ type: 'signedIn' });
    leave(answer.data.redirect);
  };

  const s = words.signIn;
  const label = { idle: s.submit, busy: s.busy, leaving: s.redirecting }[phase];
  return (
    <form className="card" method="post" action="/sign/" onSubmit={(event) => void submit(event)} noValidate aria-labelledby="title">
      <h1 id="title">{s.title}</h1>
      <p className="lead">{words.tagline}</p>
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      <TextField
        ref={loginBox}
        label={s.login}
        name="username"
        autoComplete="username"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        maxLength={254}
        value={login}
        onValue={setLogin}
        error={faults.login}
      />
      <PasswordField
        ref={passwordBox}
        label={s.password}
        name="password"
        autoComplete="current-password"
        maxLength={128}
        value={password}
        onValue={setPassword}
        error={faults.password}
      />
      <label className="check">
        <input type="checkbox" name="remember" checked={remember} aria-describedby="remember-help" onChange={(event) => setRemember(event.target.checked)} />
        <span>{s.remember}</span>
      </label>
      <p id="remember-help" className="note indented">
        {s.rememberHelp}
      </p>
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={phase !== 'idle'}>
        {label}
      </button>
    </form>
  );
}
