import { signCalls } from '@contract/session/signCalls';
import type { InviteState } from '@contract/session/schemas';
import { AccountForm } from './AccountForm';
import { LinkEnded, FailedCall, Waiting, useLink } from './Message';
import { forgetToken } from './token';
import { fill, useLocale, useMessages } from './useMessages';

/** 2026-12-03 10:18, as in the console: Swedish writes dates so. */
const dateTime = (iso: string): string => new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short' }).format(new Date(iso));

/** Who invites, to which role, and the expiry. */
function Offer({ invite }: { readonly invite: InviteState }) {
  const w = useMessages().invite;
  const locale = useLocale();
  const everything = invite.role === 'owner' || invite.role === 'manager';
  const sites = everything ? [w.allSites] : invite.sites.map(({ name, role }) => `${name} · ${w.siteRoles[role]}`);
  return (
    <>
      <p className="lead">{fill(w.lead, { name: invite.invitedBy, role: w.roles[invite.role] })}</p>
      {invite.message !== '' && <blockquote className="quote">{invite.message}</blockquote>}
      <dl className="offer">
        {sites.length > 0 && (
          <>
            <dt>{w.sites}</dt>
            <dd>{sites.join(locale === 'en' ? ', ' : '、')}</dd>
          </>
        )}
        {invite.email !== null && (
          <>
            <dt>{w.email}</dt>
            <dd>{invite.email}</dd>
          </>
        )}
        <dt>{w.until}</dt>
        <dd>{dateTime(invite.expiresAt)}</dd>
      </dl>
    </>
  );
}

/** Creates the account of an invitation. */
export function Invite({ token, leave }: { readonly token: string | null; readonly leave: (redirect: string) => void }) {
  const messages = useMessages();
  const { state, end, again } = useLink<InviteState>(signCalls.inviteState.path, token);
  if (state.kind === 'unknown') return <Waiting>{messages.setUp.checking}</Waiting>;
  if (state.kind === 'failed') return <FailedCall failure={state.failure} again={again} />;
  if (state.kind === 'ended' || token === null) return <LinkEnded kind="invite" />;
  return (
    <AccountForm
      title={messages.invite.title}
      submit={messages.invite.submit}
      action="/sign/invite"
      path={signCalls.acceptInvite.path}
      token={token}
      leave={leave}
      ending={['link_ended']}
      onEnded={end}
      onMade={() => forgetToken('invite')}
    >
      <Offer invite={state.data} />
    </AccountForm>
  );
}
