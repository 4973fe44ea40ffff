import { useState } from 'react';
import type { ReactNode } from 'react';
import { contactCalls } from '@contract/contacts/calls';
import { signCalls } from '@contract/session/signCalls';
import type { ContactTopic } from '@contract/contacts/schemas';
import { LinkEnded, Message, FailedCall, Waiting, useLink } from './Message';
import { FormAlert, Title } from './parts';
import { forgetToken } from './token';
import type { LinkKind } from './token';
import { useSubmit } from './useSubmit';
import { fill, useMessages } from './useMessages';

type ButtonProps<T> = {
  readonly kind: LinkKind;
  /** Path of the call that the button makes. */ readonly path: string;
  readonly token: string;
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly busyLabel: string;
  /** Error codes that the caller handles. */
  readonly own: readonly string[];
  readonly onDone: (data: T) => void;
  readonly onRefused: (code: string) => void;
};

/** Opening a link has no effect, because mail scanners open links too: a person presses the button. */
function ConfirmButton<T>({ kind, path, token, title, text, label, busyLabel, own, onDone, onRefused }: ButtonProps<T>): ReactNode {
  const { form, failure, busy, secondsLeft, send, onSubmit } = useSubmit<never>([]);
  const go = async () => {
    const result = await send<T>(path, { token }, own);
    if (result === null) return;
    if (result.ok) {
      forgetToken(kind);
      onDone(result.data);
    } else if (result.failure.kind === 'response') onRefused(result.failure.code ?? '');
  };
  return (
    <form className="card" method="post" action={`/sign/${kind}`} ref={form} onSubmit={(event) => onSubmit(event, () => ({}), go)} aria-labelledby="title">
      <Title>{title}</Title>
      <p className="text">{text}</p>
      {failure && <FormAlert failure={failure} secondsLeft={secondsLeft} />}
      <button className="primary" type="submit" disabled={secondsLeft > 0} aria-disabled={busy} autoFocus>
        {busy ? busyLabel : label}
      </button>
    </form>
  );
}

export function ConfirmEmail({ token }: { readonly token: string | null }) {
  const w = useMessages().email;
  const [state, setState] = useState<{ readonly email: string } | 'link_ended' | 'email_taken' | null>(null);
  if (token === null || state === 'link_ended') return <LinkEnded kind="email" />;
  if (state === 'email_taken') {
    return (
      <Message title={w.takenTitle} text={w.takenText}>
        <a className="primary" href="/account/center/account_center?tab=security">
          {w.enter}
        </a>
      </Message>
    );
  }
  if (state) {
    return (
      <Message title={w.doneTitle} text={fill(w.doneText, { email: state.email })}>
        <a className="primary" href="/home">
          {w.enter}
        </a>
      </Message>
    );
  }
  return (
    <ConfirmButton<{ email: string }>
      kind="email"
      path={signCalls.verifyEmail.path}
      token={token}
      title={w.title}
      text={w.text}
      label={w.submit}
      busyLabel={w.busy}
      own={['link_ended', 'email_taken', 'invalid_fields']}
      onDone={setState}
      onRefused={(code) => setState(code === 'email_taken' ? code : 'link_ended')}
    />
  );
}

type ContactState = { readonly kind: 'verify' | 'unsubscribe'; readonly email: string; readonly topic: ContactTopic | null };

/** The purpose of a link sent to a contact: to confirm the address, or to unsubscribe from one topic. The reader need not have an account. */
export function ContactLink({ token }: { readonly token: string | null }) {
  const messages = useMessages();
  const w = messages.contact;
  const { state, end, again } = useLink<ContactState>(contactCalls.contactLinkState.path, token);
  const [done, setDone] = useState(false);
  if (state.kind === 'unknown') return <Waiting>{messages.setUp.checking}</Waiting>;
  if (state.kind === 'failed') return <FailedCall failure={state.failure} again={again} />;
  if (state.kind === 'ended' || token === null) return <LinkEnded kind="contact" />;
  const { kind, email, topic } = state.data;
  const say = (text: string) => fill(text, { email, topic: topic === null ? '' : w.topics[topic] });
  const [title, text, doneTitle, doneText] =
    kind === 'verify'
      ? [w.verifyTitle, w.verifyText, w.verifiedTitle, w.verifiedText]
      : [w.unsubscribeTitle, w.unsubscribeText, w.unsubscribedTitle, w.unsubscribedText];
  if (done) return <Message title={say(doneTitle)} text={say(doneText)} />;
  return (
    <ConfirmButton
      kind="contact"
      path={contactCalls.useContactLink.path}
      token={token}
      title={say(title)}
      text={say(text)}
      label={kind === 'verify' ? w.verify : w.unsubscribe}
      busyLabel={w.busy}
      own={['link_ended', 'invalid_fields']}
      onDone={() => setDone(true)}
      onRefused={end}
    />
  );
}
