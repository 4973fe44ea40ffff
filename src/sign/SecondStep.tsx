import { useEffect, useState } from 'react';
import { signCalls } from '@contract/session/signCalls';
import { loadPasskeys, passkeysWork } from '@/lib/passkeys';
import { broadcastToTabs } from '@/lib/tabs';
import { signInByPasskey } from './passkey';
import { FormAlert, TextField, Title } from './parts';
import { useSubmit } from './useSubmit';
import { fill, useMessages } from './useMessages';

export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery';
/** The second step of one sign-in attempt, opened by the password. */
export type SecondStepState = { readonly ticket: string; readonly methods: readonly SecondFactorMethod[]; readonly login: string; readonly remember: boolean };

type Props = {
  readonly second: SecondStepState;
  readonly leave: (redirect: string) => void;
  /** Back to name and password; `ended`: because the ticket has expired. */
  readonly back: (ended: boolean) => void;
};
type StepProps = Props & { readonly method: SecondFactorMethod };

const done = (redirect: string, leave: Props['leave']) => {
  broadcastToTabs({ type: 'signedIn' });
  leave(redirect);
};

/** Six digits of an authenticator app, submitted as soon as they are complete; or a recovery code. */
function CodeStep({ second, method, leave, back }: StepProps & { readonly method: 'totp' | 'recovery' }) {
  const messages = useMessages();
  const s = messages.second;
  const w = s[method];
  const [code, setCode] = useState('');
  const [tried, setTried] = useState('');
  const [wrong, setWrong] = useState(false);
  const { form, errors, failure, busy, secondsLeft, clear, send, onSubmit } = useSubmit(['code']);
  const totp = method === 'totp';

  const go = async (typed: string) => {
    setTried(typed);
    setWrong(false);
    const result = await send<{ redirect: string }>(signCalls.signInSecond.path, { ticket: second.ticket, kind: method, code: typed }, [
      'bad_code',
      'ticket_ended',
    ]);
    if (result === null) return;
    if (result.ok) return done(result.data.redirect, leave);
    if (result.failure.kind === 'response' && result.failure.code === 'ticket_ended') return back(true);
    setWrong(true);
    const box = form.current?.querySelector<HTMLInputElement>('[data-field="code"]');
    box?.focus();
    // The next input replaces the selection.
    box?.select();
    return undefined;
  };
  const put = (value: string) => {
    // Pasted codes contain spaces, and Chinese keyboards enter full-width digits.
    const typed = totp ? value.normalize('NFKC').replace(/\D/g, '').slice(0, 6) : value;
    setCode(typed);
    setWrong(false);
    clear('code');
    if (totp && typed.length === 6 && typed !== tried) void go(typed);
  };
  const missing = totp ? s.missing : s.missingRecovery;
  return (
    <form
      method="post"
      action="/sign/"
      ref={form}
      noValidate
      onSubmit={(event) =>
        onSubmit(
          event,
          () => (code.trim() === '' || (totp && code.length < 6) ? { code: { code: 'required' } } : {}),
          () => go(code.trim()),
        )
      }
      aria-labelledby="title"
    >
      <p className="lead">{w.lead}</p>
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      <TextField
        key={method}
        label={w.label}
        name={totp ? 'one-time-code' : 'recovery-code'}
        data-field="code"
        data-code={method}
        autoComplete={totp ? 'one-time-code' : 'off'}
        inputMode={totp ? 'numeric' : 'text'}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        maxLength={64}
        readOnly={busy}
        value={code}
        onValue={put}
        error={wrong ? w.bad : errors.code && missing}
      />
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy}>
        {busy ? s.busy : s.submit}
      </button>
    </form>
  );
}

function PasskeyStep({ second, leave, back }: Omit<StepProps, 'method'>) {
  const messages = useMessages();
  const s = messages.second;
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Exclude<Awaited<ReturnType<typeof signInByPasskey>>, { kind: 'in' }> | null>(null);
  useEffect(() => void loadPasskeys().catch(() => undefined), []);
  const go = async () => {
    if (busy) return undefined;
    setBusy(true);
    setOutcome(null);
    const result = await signInByPasskey({ ticket: second.ticket, remember: () => second.remember });
    if (result.kind === 'in') return done(result.redirect, leave);
    if (result.kind === 'failed' && result.failure.kind === 'response' && result.failure.code === 'ticket_ended') return back(true);
    setBusy(false);
    return setOutcome(result);
  };
  return (
    <>
      <p className="lead">{s.passkey.lead}</p>
      {outcome?.kind === 'failed' && <FormAlert failure={outcome.failure} secondsLeft={0} />}
      <button type="button" className="primary" autoFocus aria-disabled={busy} onClick={() => void go()}>
        {busy ? s.busy : s.passkey.action}
      </button>
      {outcome && outcome.kind !== 'failed' && (
        <p role="alert" className="note bad">
          {outcome.kind === 'cancelled' ? s.passkey.cancelled : s.passkey.bad}
        </p>
      )}
    </>
  );
}

/** After the password: the second factor, by any method that the person has set up. */
export function SecondStep({ second, leave, back }: Props) {
  const messages = useMessages();
  const s = messages.second;
  const order: readonly SecondFactorMethod[] = ['totp', 'passkey', 'recovery'];
  const methods = order.filter((method) => second.methods.includes(method) && (method !== 'passkey' || passkeysWork()));
  const [chosen, choose] = useState<SecondFactorMethod | undefined>(methods[0]);
  const others = methods.filter((method) => method !== chosen);
  return (
    <section className="card" aria-labelledby="title">
      <Title>{s.title}</Title>
      <p className="as">{fill(s.as, { login: second.login })}</p>
      {chosen === undefined && <p className="lead">{s.noPasskeys}</p>}
      {chosen === 'passkey' && <PasskeyStep second={second} leave={leave} back={back} />}
      {(chosen === 'totp' || chosen === 'recovery') && <CodeStep key={chosen} method={chosen} second={second} leave={leave} back={back} />}
      <div className="ways">
        {others.length > 0 && (
          <>
            <h2>{s.other}</h2>
            <ul>
              {others.map((method) => (
                <li key={method}>
                  <button type="button" className="text-link" onClick={() => choose(method)}>
                    {s.ways[method]}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className="note">{s.lost}</p>
        <p className="note">
          {s.lostRun} <code>{s.lostCommand}</code>
        </p>
        <button type="button" className="text-link" onClick={() => back(false)}>
          {messages.forgot.back}
        </button>
      </div>
    </section>
  );
}
