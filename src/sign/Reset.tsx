import { useState } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { fieldErrorMessage } from './fieldErrorMessage';
import { LinkEnded, Message, FailedCall, Waiting, useLink } from './Message';
import { FormAlert, PasswordField, Title } from './parts';
import { PasswordMeter } from './PasswordMeter';
import { forgetToken } from './token';
import { useSubmit } from './useSubmit';
import type { FieldErrors } from './useSubmit';
import { fill, useMessages } from './useMessages';

type ResetState = { readonly loginName: string; readonly minLength: number };

function ResetForm({
  token,
  account,
  onDone,
  onEnded,
}: {
  readonly token: string;
  readonly account: ResetState;
  readonly onDone: () => void;
  readonly onEnded: () => void;
}) {
  const messages = useMessages();
  const w = messages.reset;
  const [password, setPassword] = useState('');
  const { form, errors, failure, busy, secondsLeft, clear, send, onSubmit } = useSubmit(['password']);
  const check = (): FieldErrors<'password'> => {
    if (password === '') return { password: { code: 'required' } };
    return password.length < account.minLength ? { password: { code: 'too_short', min: account.minLength } } : {};
  };
  const go = async () => {
    const result = await send<null>(signCalls.reset.path, { token, password }, ['link_ended']);
    if (result) (result.ok ? onDone : onEnded)();
  };
  return (
    <form className="card" method="post" action="/sign/reset" ref={form} onSubmit={(event) => onSubmit(event, check, go)} noValidate aria-labelledby="title">
      <Title>{w.title}</Title>
      <p className="lead">{fill(w.lead, { login: account.loginName })}</p>
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      {/* Password managers store the new password under the right name only if the form contains the name. */}
      <input type="text" name="username" autoComplete="username" value={account.loginName} readOnly hidden />
      <PasswordField
        label={w.password}
        help={<PasswordMeter password={password} loginName={account.loginName} enough={account.minLength} refused={errors.password !== undefined} />}
        name="new-password"
        data-field="password"
        autoComplete="new-password"
        autoFocus
        maxLength={128}
        value={password}
        onValue={(value) => {
          setPassword(value);
          clear('password');
        }}
        error={errors.password && fieldErrorMessage(messages, 'password', errors.password)}
      />
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy}>
        {busy ? w.busy : w.submit}
      </button>
    </form>
  );
}

/** Sets a new password by link. It does not sign in: the second factor is still required. */
export function Reset({ token, toSignIn }: { readonly token: string | null; readonly toSignIn: (login: string) => void }) {
  const messages = useMessages();
  const { state, end, again } = useLink<ResetState>(signCalls.resetState.path, token);
  const [done, setDone] = useState(false);
  if (state.kind === 'unknown') return <Waiting>{messages.setUp.checking}</Waiting>;
  if (state.kind === 'failed') return <FailedCall failure={state.failure} again={again} />;
  if (state.kind === 'ended' || token === null) return <LinkEnded kind="reset" />;
  if (done) {
    return (
      <Message title={messages.reset.doneTitle} text={messages.reset.doneText}>
        <button type="button" className="primary" onClick={() => toSignIn(state.data.loginName)} autoFocus>
          {messages.linkEnded.toSignIn}
        </button>
      </Message>
    );
  }
  const finish = () => {
    forgetToken('reset');
    setDone(true);
  };
  return <ResetForm token={token} account={state.data} onDone={finish} onEnded={end} />;
}
