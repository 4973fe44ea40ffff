import { useEffect, useId, useState } from 'react';
import type { ComponentProps, KeyboardEvent, ReactNode, Ref } from 'react';
import type { Failure } from './call';
import { fill, useMessages } from './useMessages';

/** The heading of a page, which is also the document title: several tabs may be open. */
export function Title({ children }: { readonly children: string }) {
  const { product } = useMessages();
  useEffect(() => {
    document.title = `${children} · ${product}`;
  }, [children, product]);
  return <h1 id="title">{children}</h1>;
}

type FieldProps = {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  /** Receives the attributes that connect the control to its label, help and error. */
  readonly children: (control: { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean }) => ReactNode;
};

/** Label above, control, then its error and its help, which often states the rule that the error refers to. */
export function Field({ label, help, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className={error === undefined ? 'field' : 'field faulty'}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error !== undefined })}
      <div id={noteId} className="note">
        {error !== undefined && (
          <p className="error" role="alert">
            {error}
          </p>
        )}
        {help}
      </div>
    </div>
  );
}

type TextProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id'> & {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

export function TextField({ label, help, error, onValue, ...input }: TextProps) {
  return (
    <Field label={label} help={help} error={error}>
      {(control) => <input {...input} {...control} className="input" onChange={(event) => onValue(event.target.value)} />}
    </Field>
  );
}

function EyeIcon({ open }: { readonly open: boolean }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" aria-hidden="true">
      <path d="M1.8 10S4.8 4.6 10 4.6 18.2 10 18.2 10 15.2 15.4 10 15.4 1.8 10 1.8 10z" />
      <circle cx="10" cy="10" r="2.4" />
      {!open && <path d="M3.5 16.5l13-13" />}
    </svg>
  );
}

/** A password field that can be revealed and that reports Caps Lock. */
export function PasswordField({ label, help, error, onValue, ref, ...input }: TextProps & { readonly ref?: Ref<HTMLInputElement> }) {
  const messages = useMessages();
  const [revealed, setRevealed] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const hint = capsLock ? <span className="caps">⇪ {messages.password.capsLock}</span> : null;
  const notes = (
    <>
      {hint}
      {help}
    </>
  );
  return (
    <Field label={label} help={notes} error={error}>
      {(control) => (
        <div className="with-button">
          <input
            {...input}
            {...control}
            ref={ref}
            className="input"
            type={revealed ? 'text' : 'password'}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onValue(event.target.value)}
            onKeyDown={watchCapsLock}
            onKeyUp={watchCapsLock}
            onBlur={() => setCapsLock(false)}
          />
          <button
            type="button"
            className="icon"
            aria-label={revealed ? messages.password.hide : messages.password.show}
            aria-pressed={revealed}
            aria-controls={control.id}
            onClick={() => setRevealed(!revealed)}
          >
            <EyeIcon open={revealed} />
          </button>
        </div>
      )}
    </Field>
  );
}

/** Seconds until a rate-limited caller may retry; 0 once it is over. */
export function useCountdown(): readonly [left: number, start: (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (until === 0) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= until) setUntil(0);
    }, 500);
    return () => clearInterval(timer);
  }, [until]);
  const start = (seconds: number) => {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
  };
  return [until === 0 ? 0 : Math.max(1, Math.ceil((until - now) / 1000)), start];
}

/** An error of the whole form. A live region: it is announced wherever the focus is. */
export function FormAlert({ failure, secondsLeft }: { readonly failure: Failure; readonly secondsLeft: number }) {
  const messages = useMessages();
  const e = messages.errors;
  if (failure.kind === 'network') return <Alert>{e.network}</Alert>;
  if (failure.code === 'bad_credentials') return <Alert>{e.badCredentials}</Alert>;
  if (failure.status === 429) {
    const time = secondsLeft > 90 ? fill(e.minutes, { n: Math.ceil(secondsLeft / 60) }) : fill(e.seconds, { n: secondsLeft });
    return <Alert>{secondsLeft > 0 ? fill(e.tooMany, { time }) : e.tooManyOver}</Alert>;
  }
  if (failure.code === 'bad_origin') return <Alert>{e.badOrigin}</Alert>;
  return (
    <Alert>
      {e.server}
      {failure.requestId !== null && <code>{fill(e.requestId, { id: failure.requestId })}</code>}
    </Alert>
  );
}

export function Alert({ children }: { readonly children: ReactNode }) {
  return (
    <div className="alert" role="alert">
      <svg viewBox="0 0 20 20" width="16" height="16" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" aria-hidden="true">
        <circle cx="10" cy="10" r="7.5" />
        <path d="M10 6v5M10 13.8v.2" />
      </svg>
      <div>{children}</div>
    </div>
  );
}
