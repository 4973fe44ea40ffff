import { useState } from 'react';
import type { ReactNode } from 'react';
import { guessTimeZone, timeZones } from '@/lib/timeZones';
import { tellTabs } from '@/lib/tabs';
import { fieldErrorMessage } from './fieldErrorMessage';
import { Field, FormAlert, PasswordField, TextField, Title } from './parts';
import { PasswordMeter } from './PasswordMeter';
import { useSubmit } from './useSubmit';
import type { Faults } from './useSubmit';
import { useLocale, useMessages } from './useMessages';

/** Without a second factor a password has at least 15 characters (contract `NewPassword`, ASVS 6.2.1). */
const enough = 15;

type Draft = { readonly displayName: string; readonly loginName: string; readonly password: string; readonly timeZone: string };
type Name = keyof Draft;
const order: readonly Name[] = ['displayName', 'loginName', 'password', 'timeZone'];
const longest: Readonly<Record<Name, number>> = { displayName: 40, loginName: 32, password: 128, timeZone: 64 };

function faultsOf(draft: Draft): Faults<Name> {
  const faults: Faults<Name> = {};
  for (const name of order) {
    if (draft[name] === '') faults[name] = { code: 'required' };
    else if (draft[name].length > longest[name]) faults[name] = { code: 'too_long', max: longest[name] };
  }
  if (draft.loginName !== '' && draft.loginName.length < 3) faults.loginName = { code: 'too_short', min: 3 };
  if (draft.password !== '' && draft.password.length < enough) faults.password = { code: 'too_short', min: enough };
  return faults;
}

type Props = {
  readonly title: string;
  /** Introduction above the fields. */
  readonly children: ReactNode;
  readonly submit: string;
  /** Where the account is created: the path of this page, and of the call. */
  readonly action: string;
  readonly path: string;
  readonly token: string;
  readonly leave: (redirect: string) => void;
  /** Error codes after which the link is no longer valid. */
  readonly ending: readonly string[];
  readonly onEnded: () => void;
  /** The account exists: the token is no longer valid. */
  readonly onMade: () => void;
};

/** Creates an account by a one-time link. Its language is the page's own, chosen above the form, where its effect is visible. */
export function AccountForm({ title, children, submit, action, path, token, leave, ending, onEnded, onMade }: Props) {
  const messages = useMessages();
  const locale = useLocale();
  const [guess] = useState(guessTimeZone);
  const [draft, setDraft] = useState<Draft>({ displayName: '', loginName: '', password: '', timeZone: guess });
  const { form, faults, failure, busy, secondsLeft, clear, point, send, onSubmit } = useSubmit<Name>(order);
  const s = messages.setUp;

  const put = (name: Name) => (value: string) => {
    setDraft({ ...draft, [name]: value });
    clear(name);
  };
  const errorOf = (name: Name) => (faults[name] ? fieldErrorMessage(messages, name, faults[name]) : undefined);
  const typed = { ...draft, displayName: draft.displayName.trim(), loginName: draft.loginName.trim() };

  const go = async () => {
    const answer = await send<{ redirect: string }>(path, { ...typed, token, locale }, ['name_taken', ...ending]);
    if (answer === null) return undefined;
    if (answer.ok) {
      onMade();
      tellTabs({ type: 'signedIn' });
      return leave(answer.data.redirect);
    }
    if (answer.failure.kind === 'answer' && answer.failure.code === 'name_taken') return point({ loginName: { code: 'taken' } });
    return onEnded();
  };

  return (
    <form
      className="card"
      method="post"
      action={action}
      ref={form}
      onSubmit={(event) => onSubmit(event, () => faultsOf(typed), go)}
      noValidate
      aria-labelledby="title"
    >
      <Title>{title}</Title>
      {children}
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
        help={<PasswordMeter password={draft.password} loginName={draft.loginName} enough={enough} refused={faults.password !== undefined} />}
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
        {busy ? s.busy : submit}
      </button>
    </form>
  );
}
