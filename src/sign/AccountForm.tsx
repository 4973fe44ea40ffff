import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { guessTimeZone, timeZones } from '@/lib/timeZones';
import { broadcastToTabs } from '@/lib/tabs';
import { fieldErrorMessage } from './fieldErrorMessage';
import { Field, FormAlert, PasswordField, TextField, Title } from './parts';
import { PasswordMeter } from './PasswordMeter';
import { useSubmit } from './useSubmit';
import type { FieldErrors } from './useSubmit';
import { useLocale, useMessages } from './useMessages';

/** Without a second factor a password has at least 15 characters (contract `NewPassword`, ASVS 6.2.1). */
const enough = 15;

type Draft = { readonly displayName: string; readonly loginName: string; readonly password: string; readonly timeZone: string };
type Name = keyof Draft;
const order: readonly Name[] = ['displayName', 'loginName', 'password', 'timeZone'];
const longest: Readonly<Record<Name, number>> = { displayName: 40, loginName: 32, password: 128, timeZone: 64 };

function errorsOf(draft: Draft): FieldErrors<Name> {
  const errors: FieldErrors<Name> = {};
  for (const name of order) {
    if (draft[name] === '') errors[name] = { code: 'required' };
    else if (draft[name].length > longest[name]) errors[name] = { code: 'too_long', max: longest[name] };
  }
  if (draft.loginName !== '' && draft.loginName.length < 3) errors.loginName = { code: 'too_short', min: 3 };
  if (draft.password !== '' && draft.password.length < enough) errors.password = { code: 'too_short', min: enough };
  return errors;
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

/** The input of a new account, its check, and the call that creates it. */
function useNewAccount({ path, token, leave, ending, onEnded, onMade }: Pick<Props, 'path' | 'token' | 'leave' | 'ending' | 'onEnded' | 'onMade'>) {
  const messages = useMessages();
  const locale = useLocale();
  const [guess] = useState(guessTimeZone);
  const [draft, setDraft] = useState<Draft>({ displayName: '', loginName: '', password: '', timeZone: guess });
  const { form, errors, failure, busy, secondsLeft, clear, point, send, onSubmit } = useSubmit<Name>(order);
  const typed = { ...draft, displayName: draft.displayName.trim(), loginName: draft.loginName.trim() };

  const create = async () => {
    const result = await send<{ redirect: string }>(path, { ...typed, token, locale }, ['name_taken', ...ending]);
    if (result === null) return undefined;
    if (result.ok) {
      onMade();
      broadcastToTabs({ type: 'signedIn' });
      return leave(result.data.redirect);
    }
    if (result.failure.kind === 'response' && result.failure.code === 'name_taken') return point({ loginName: { code: 'taken' } });
    return onEnded();
  };
  const change = (name: Name) => (value: string) => {
    setDraft({ ...draft, [name]: value });
    clear(name);
  };
  return {
    form,
    guess,
    failure,
    busy,
    secondsLeft,
    /** Value and error of a field, as its component takes them. */
    field: (name: Name) => ({
      value: draft[name],
      onValue: change(name),
      error: errors[name] ? fieldErrorMessage(messages, name, errors[name]) : undefined,
    }),
    onSubmit: (event: FormEvent) => onSubmit(event, () => errorsOf(typed), create),
  };
}

type TimeZoneProps = { readonly guess: string; readonly value: string; readonly error: string | undefined; readonly onValue: (value: string) => void };

function TimeZoneSelect({ guess, value, error, onValue }: TimeZoneProps) {
  const s = useMessages().setUp;
  const locale = useLocale();
  return (
    <Field label={s.timeZone} help={s.timeZoneHelp} error={error}>
      {(control) => (
        <select {...control} className="input" name="time-zone" data-field="timeZone" value={value} onChange={(event) => onValue(event.target.value)}>
          {timeZones(locale, [guess]).map((zone) => (
            <option key={zone.id} value={zone.id}>
              {zone.name} · {zone.offset} · {zone.id.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Creates an account by a one-time link. Its language is the page's own, chosen above the form, where its effect is visible. */
export function AccountForm(props: Props) {
  const { title, children, submit, action } = props;
  const s = useMessages().setUp;
  const { form, guess, failure, busy, secondsLeft, field, onSubmit } = useNewAccount(props);
  const password = field('password');
  return (
    <form className="card" method="post" action={action} ref={form} onSubmit={onSubmit} noValidate aria-labelledby="title">
      <Title>{title}</Title>
      {children}
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      <TextField label={s.displayName} help={s.displayNameHelp} name="name" data-field="displayName" autoComplete="name" {...field('displayName')} />
      <TextField
        label={s.loginName}
        help={s.loginNameHelp}
        name="username"
        data-field="loginName"
        autoComplete="username"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        {...field('loginName')}
      />
      <PasswordField
        label={s.password}
        help={<PasswordMeter password={password.value} loginName={field('loginName').value} enough={enough} refused={password.error !== undefined} />}
        name="new-password"
        data-field="password"
        autoComplete="new-password"
        maxLength={128}
        {...password}
      />
      <TimeZoneSelect guess={guess} {...field('timeZone')} />
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy}>
        {busy ? s.busy : submit}
      </button>
    </form>
  );
}
