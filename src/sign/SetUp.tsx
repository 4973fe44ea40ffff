import { signCalls } from '@contract/session/signCalls';
import { AccountForm } from './AccountForm';
import type { Failure } from './call';
import { Message, FailedCall, Waiting } from './Message';
import { forgetToken } from './token';
import { useMessages } from './useMessages';

/** Whether an account exists, and whether mail works. */
export type Installation =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'known'; readonly needed: boolean; readonly tokenValid: boolean; readonly mail: boolean };

export function NotSetUp({ again }: { readonly again: () => void }) {
  const w = useMessages().notSetUp;
  return (
    <Message title={w.title} text={w.text}>
      <pre className="sample">{`${location.origin}/sign/setup#t=…`}</pre>
      <p className="text">{w.way}</p>
      <button type="button" className="secondary" onClick={again}>
        {w.again}
      </button>
    </Message>
  );
}

type Props = {
  readonly state: Installation;
  readonly token: string | null;
  readonly leave: (redirect: string) => void;
  readonly again: () => void;
};

/** Creates the first owner, by the link printed at start-up. */
export function SetUp({ state, token, leave, again }: Props) {
  const messages = useMessages();
  if (state.kind === 'unknown') return <Waiting>{messages.setUp.checking}</Waiting>;
  if (state.kind === 'failed') return <FailedCall failure={state.failure} again={again} />;
  if (!state.needed) {
    return (
      <Message title={messages.alreadySetUp.title} text={messages.alreadySetUp.text}>
        <a className="primary" href="/sign/">
          {messages.alreadySetUp.action}
        </a>
      </Message>
    );
  }
  if (token === null) return <NotSetUp again={again} />;
  if (state.tokenValid) {
    return (
      <AccountForm
        title={messages.setUp.title}
        submit={messages.setUp.submit}
        action="/sign/setup"
        path={signCalls.setUp.path}
        token={token}
        leave={leave}
        ending={['bad_setup_token', 'already_set_up']}
        onEnded={again}
        onMade={() => forgetToken('setup')}
      >
        <p className="lead">{messages.setUp.lead}</p>
      </AccountForm>
    );
  }
  return (
    <Message title={messages.badToken.title} text={messages.badToken.text}>
      <p className="text">{messages.badToken.way}</p>
      <pre className="sample">{`${location.origin}/sign/setup#t=…`}</pre>
    </Message>
  );
}
