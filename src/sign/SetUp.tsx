import { signCalls } from '@contract/session/signCalls';
import { AccountForm } from './AccountForm';
import type { Failure } from './call';
import { Message, Unanswered, Waiting } from './Message';
import { forgetToken } from './token';
import { useWords } from './words';

/** Whether somebody has an account here already, and whether mail works. */
export type Installation =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'known'; readonly needed: boolean; readonly tokenValid: boolean; readonly mail: boolean };

export function NotSetUp({ again }: { readonly again: () => void }) {
  const w = useWords().notSetUp;
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

/** Makes the first owner, by the link that was printed at the start. */
export function SetUp({ state, token, leave, again }: Props) {
  const words = useWords();
  if (state.kind === 'unknown') return <Waiting>{words.setUp.checking}</Waiting>;
  if (state.kind === 'failed') return <Unanswered failure={state.failure} again={again} />;
  if (!state.needed) {
    return (
      <Message title={words.alreadySetUp.title} text={words.alreadySetUp.text}>
        <a className="primary" href="/sign/">
          {words.alreadySetUp.action}
        </a>
      </Message>
    );
  }
  if (token === null) return <NotSetUp again={again} />;
  if (state.tokenValid) {
    return (
      <AccountForm
        title={words.setUp.title}
        submit={words.setUp.submit}
        action="/sign/setup"
        path={signCalls.setUp.path}
        token={token}
        leave={leave}
        ending={['bad_setup_token', 'already_set_up']}
        onEnded={again}
        onMade={() => forgetToken('setup')}
      >
        <p className="lead">{words.setUp.lead}</p>
      </AccountForm>
    );
  }
  return (
    <Message title={words.badToken.title} text={words.badToken.text}>
      <p className="text">{words.badToken.way}</p>
      <pre className="sample">{`${location.origin}/sign/setup#t=…`}</pre>
    </Message>
  );
}
