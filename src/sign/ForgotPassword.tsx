import { useState } from 'react';
import type { MouseEvent } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { fieldErrorMessage } from './fieldErrorMessage';
import { Message, FailedCall, Waiting } from './Message';
import { FormAlert, TextField, Title } from './parts';
import type { Installation } from './SetUp';
import { useSubmit } from './useSubmit';
import { useMessages } from './useMessages';

type Props = {
  readonly state: Installation;
  readonly again: () => void;
  readonly login: string;
  readonly onLogin: (login: string) => void;
  readonly signInHref: string;
  readonly toSignIn: (event: MouseEvent) => void;
};

/** Requests a mail with a link. The response never reveals whether the account exists. */
export function ForgotPassword({ state, again, ...form }: Props) {
  const messages = useMessages();
  const w = messages.forgot;
  const [sent, setSent] = useState(false);
  const back = (
    <a className="primary" href={form.signInHref} onClick={form.toSignIn}>
      {w.back}
    </a>
  );
  if (state.kind === 'unknown') return <Waiting>{messages.setUp.waiting}</Waiting>;
  if (state.kind === 'failed') return <FailedCall failure={state.failure} again={again} />;
  if (!state.mail) {
    return (
      <Message title={w.offTitle} text={w.offText}>
        <p className="note">
          {w.offRun} <code>{w.offCommand}</code>
        </p>
        {back}
      </Message>
    );
  }
  if (!sent) return <ForgotForm {...form} onSent={() => setSent(true)} />;
  return (
    <Message title={w.sentTitle} text={w.sentText}>
      <p className="text">{w.sentHelp}</p>
      {back}
      <button type="button" className="secondary" onClick={() => setSent(false)}>
        {w.again}
      </button>
    </Message>
  );
}

function ForgotForm({ login, onLogin, signInHref, toSignIn, onSent }: Omit<Props, 'state' | 'again'> & { readonly onSent: () => void }) {
  const messages = useMessages();
  const w = messages.forgot;
  const { form, errors, failure, busy, secondsLeft, clear, send, onSubmit } = useSubmit(['login']);
  const typed = login.trim();
  const go = async () => {
    const result = await send<null>(signCalls.forgot.path, { login: typed });
    if (result?.ok) onSent();
  };
  return (
    <form
      className="card"
      method="post"
      action="/sign/forgot"
      ref={form}
      onSubmit={(event) => onSubmit(event, () => (typed === '' ? { login: { code: 'required' } } : {}), go)}
      noValidate
      aria-labelledby="title"
    >
      <Title>{w.title}</Title>
      <p className="lead">{w.lead}</p>
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      <TextField
        label={messages.signIn.login}
        name="username"
        data-field="login"
        autoComplete="username"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        maxLength={254}
        value={login}
        onValue={(value) => {
          onLogin(value);
          clear('login');
        }}
        error={errors.login && fieldErrorMessage(messages, 'login', errors.login)}
      />
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy}>
        {busy ? w.busy : w.submit}
      </button>
      <a className="text-link" href={signInHref} onClick={toSignIn}>
        {w.back}
      </a>
    </form>
  );
}
