import { useRef, useState } from 'react';
import type { FormEvent } from 'react';
import { guessTimeZone, timeZones } from '@/lib/timeZones';
import type { FailureBody } from '@contract/errors';
import type { SetUp as SetUpBody } from '@contract/session';
import { post } from './call';
import type { Failure } from './call';
import { fieldWords } from './fieldWords';
import { Field, FormAlert, PasswordField, TextField, useCountdown } from './parts';
import { forgetToken } from './token';
import { fill, useLocale, useWords } from './words';

/** Without a second factor a password has at least 15 characters (contract `NewPassword`, ASVS 6.2.1). */
const enough = 15;

type Draft = { readonly displayName: string; readonly loginName: string; readonly password: string; readonly timeZone: string };
type Name = keyof Draft;
type Faults = Partial<Record<Name, NonNullable<FailureBody['fields']>[string]>>;
const order: readonly Name[] = ['displayName', 'loginName', 'password', 'timeZone'];
const longest: Readonly<Record<Name, number>> = { displayName: 40, loginName: 32, password: 128, timeZone: 64 };

function faultsOf(draft: Draft): Faults {
  const faults: Faults = {};
  for (const name of order) {
    if (draft[name] === '') faults[name] = { code: 'required' };
    else if (draft[name].length > longest[name]) faults[name] = { code: 'too_long', max: longest[name] };
  }
  if (draft.loginName !== '' && draft.loginName.length < 3) faults.loginName = { code: 'too_short', min: 3 };
  if (draft.password !== '' && draft.password.length < enough) faults.password = { code: 'too_short', min: enough };
  return faults;
}

/** How far the password is, and the one thing to better. Length is what counts; the rest is advice. */
function PasswordMeter({ password, loginName }: { readonly password: string; readonly loginName: string }) {
  const s = useWords().setUp;
  if (password === '') return s.passwordHelp;
  const missing = enough - password.length;
  const repetitive = new Set(password).size < 6;
  const hasLogin = loginName.length >= 3 && password.toLowerCase().includes(loginName.toLowerCase());
  const advice = missing > 0 ? fill(s.passwordMissing, { n: missing }) : hasLogin ? s.passwordHasLogin : repetitive ? s.passwordRepeats : s.passwordEnough;
  const good = missing <= 0 && !hasLogin && !repetitive;
  return (
    <span className={good ? 'meter good' : 'meter'}>
      <span className="bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(1, password.length / enough) * 100}%` }} />
      </span>
      <span aria-live="polite">{good ? `✓ ${advice}` : advice}</span>
    </span>
  );
}

type Props = {
  readonly token: string;
  readonly leave: (redirect: string) => void;
  /** The server no longer takes the token: ask again how things stand. */
  readonly refused: () => void;
};

/** Makes the first owner. The language is the page's own: it is chosen above the form, where it can be seen at work. */
export function SetUp({ token, leave, refused }: Props) {
  const words = useWords();
  const locale = useLocale();
  const form = useRef<HTMLFormElement>(null);
  const [guess] = useState(guessTimeZone);
  const [draft, setDraft] = useState<Draft>({ displayName: '', loginName: '', password: '', timeZone: guess });
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const [secondsLeft, wait] = useCountdown();
  const s = words.setUp;

  const put = (name: Name) => (value: string) => {
    setDraft({ ...draft, [name]: value });
    if (faults[name]) setFaults({ ...faults, [name]: undefined });
  };
  const errorOf = (name: Name) => (faults[name] ? fieldWords(words, name, faults[name]) : undefined);
  const point = (found: Faults) => {
    setFaults(found);
    const first = order.find((name) => found[name]);
    form.current?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || secondsLeft > 0) return;
    setFailure(null);
    const typed = { ...draft, displayName: draft.displayName.trim(), loginName: draft.loginName.trim() };
    const found = faultsOf(typed);
    if (Object.keys(found).length > 0) return point(found);
    setBusy(true);
    const body: SetUpBody = { ...typed, token, locale };
    const answer = await post<{ redirect: string }>('/api/acc/sign/setup', body);
    if (answer.ok) {
      forgetToken();
      return leave(answer.data.redirect);
    }
    setBusy(false);
    const why = answer.failure;
    if (why.kind === 'answer') {
      if (why.code === 'bad_setup_token' || why.code === 'already_set_up') return refused();
      if (why.status === 429) wait(why.retryAfter ?? 60);
      const named = Object.fromEntries(Object.entries(why.fields).filter(([name]) => order.includes(name as Name)));
      if (Object.keys(named).length > 0) return point(named);
    }
    return setFailure(why);
  };

  return (
    <form className="card" method="post" action="/sign/setup" ref={form} onSubmit={(event) => void submit(event)} noValidate aria-labelledby="title">
      <h1 id="title">{s.title}</h1>
      <p className="lead">{s.lead}</p>
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      <TextField
        label={s.displayName}
        help={s.displayNameHelp}
        name="name"
        data-field="displayName"
        autoComplete="name"
        value={draft.displayName}
        onValue={put('displayName')}
        error={errorOf('displayName')}
      />
      <TextField
        label={s.loginName}
        help={s.loginNameHelp}
        name="username"
        data-field="loginName"
        autoComplete="username"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={draft.loginName}
        onValue={put('loginName')}
        error={errorOf('loginName')}
      />
      <PasswordField
        label={s.password}
        help={<PasswordMeter password={draft.password} loginName={draft.loginName} />}
        name="new-password"
        data-field="password"
        autoComplete="new-password"
        maxLength={128}
        value={draft.password}
        onValue={put('password')}
        error={errorOf('password')}
      />
      <Field label={s.timeZone} help={s.timeZoneHelp} error={errorOf('timeZone')}>
        {(control) => (
          <select
            {...control}
            className="input"
            name="time-zone"
            data-field="timeZone"
            value={draft.timeZone}
            onChange={(event) => put('timeZone')(event.target.value)}
          >
            {timeZones(locale, [guess]).map((zone) => (
              <option key={zone.id} value={zone.id}>
                {zone.name} · {zone.id.replaceAll('_', ' ')} ({zone.offset})
              </option>
            ))}
          </select>
        )}
      </Field>
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy}>
        {busy ? s.busy : s.submit}
      </button>
    </form>
  );
}
