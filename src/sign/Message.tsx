import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { post } from './call';
import type { Failure } from './call';
import { FormAlert, Title } from './parts';
import { forgetToken } from './token';
import { useWords } from './words';

/** A page that says one thing, and what to do next. */
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

/** The question could not be asked: it can be asked again. */
export function Unanswered({ failure, again }: { readonly failure: Failure; readonly again: () => void }) {
  const words = useWords();
  return (
    <section className="card">
      <FormAlert failure={failure} secondsLeft={0} />
      <button type="button" className="secondary" onClick={again}>
        {words.errors.retry}
      </button>
    </section>
  );
}

/** One page for every link that is wrong, used, revoked, too old, or not all there: it says the way on. */
export function LinkEnded({ kind }: { readonly kind: 'reset' | 'invite' | 'email' | 'contact' }) {
  const w = useWords().linkEnded;
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

/** What a link is for, asked from `path`. `end` says that the server has refused it since; `again` asks once more. */
export function useLink<T>(path: string, token: string | null): { readonly state: LinkState<T>; readonly end: () => void; readonly again: () => void } {
  const [state, setState] = useState<LinkState<T>>({ kind: 'unknown' });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (token === null) return undefined;
    let gone = false;
    void post<T>(path, { token }).then((answer) => {
      if (gone) return;
      if (answer.ok) setState({ kind: 'good', data: answer.data });
      // A token that the contract refuses (cut off, or with something pasted behind it) is a link that does not work.
      else if (answer.failure.kind === 'answer' && [410, 422].includes(answer.failure.status)) setState({ kind: 'ended' });
      else setState({ kind: 'failed', failure: answer.failure });
    });
    return () => {
      gone = true;
    };
  }, [path, token, asked]);
  return { state: token === null ? { kind: 'ended' } : state, end: () => setState({ kind: 'ended' }), again: () => setAsked(asked + 1) };
}
