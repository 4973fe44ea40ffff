import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { post } from './call';
import type { Failure } from './call';
import { FormAlert, Title } from './parts';
import { forgetToken } from './token';
import { useMessages } from './useMessages';

/** A page with one message and the next step. */
export function Message({ title, text, children }: { readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <section className="card" aria-labelledby="title">
      <Title>{title}</Title>
      <p className="text">{text}</p>
      {children}
    </section>
  );
}

export function Waiting({ children }: { readonly children: ReactNode }) {
  return (
    <p className="card waiting" role="status">
      {children}
    </p>
  );
}

/** The request failed; it can be retried. */
export function FailedCall({ failure, again }: { readonly failure: Failure; readonly again: () => void }) {
  const messages = useMessages();
  return (
    <section className="card">
      <FormAlert failure={failure} secondsLeft={0} />
      <button type="button" className="secondary" onClick={again}>
        {messages.errors.retry}
      </button>
    </section>
  );
}

/** One page for every link that is wrong, used, revoked, expired or incomplete, with the next step. */
export function LinkEnded({ kind }: { readonly kind: 'reset' | 'invite' | 'email' | 'contact' }) {
  const w = useMessages().linkEnded;
  useEffect(() => forgetToken(kind), [kind]);
  return (
    <Message title={w.title} text={w.text}>
      <p className="text">{w[kind]}</p>
      {kind === 'reset' && (
        <a className="primary" href="/sign/forgot">
          {w.toForgot}
        </a>
      )}
      {kind !== 'contact' && (
        <a className={kind === 'reset' ? 'secondary' : 'primary'} href="/sign/">
          {w.toSignIn}
        </a>
      )}
    </Message>
  );
}

export type LinkState<T> =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'good'; readonly data: T };

/** What a link is for, fetched from `path`. `end` marks it as refused by the server since; `again` retries. */
export function useLink<T>(path: string, token: string | null): { readonly state: LinkState<T>; readonly end: () => void; readonly again: () => void } {
  const [state, setState] = useState<LinkState<T>>({ kind: 'unknown' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (token === null) return undefined;
    let unmounted = false;
    void post<T>(path, { token }).then((result) => {
      if (unmounted) return;
      if (result.ok) setState({ kind: 'good', data: result.data });
      // A token that the contract refuses (truncated, or with text pasted behind it) is an invalid link.
      else if (result.failure.kind === 'response' && [410, 422].includes(result.failure.status)) setState({ kind: 'ended' });
      else setState({ kind: 'failed', failure: result.failure });
    });
    return () => {
      unmounted = true;
    };
  }, [path, token, attempt]);
  return { state: token === null ? { kind: 'ended' } : state, end: () => setState({ kind: 'ended' }), again: () => setAttempt(attempt + 1) };
}
