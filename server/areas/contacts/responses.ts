import type { Contact } from '../../../contract/contacts/schemas';
import { may } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { contactSecret } from '../../mail';
import type { ContactRecord } from './queries';

/** A contact as sent to the client. The webhook secret is included only for callers who could set a new one; a token also needs the scope for it. */
export function contactResponse(ctx: Pick<Context, 'secrets'>, session: Pick<SessionInfo, 'role' | 'token'>, row: ContactRecord): Contact {
  const mayWrite = may(session.role, 'contacts.write') && (session.token === null || session.token.scopes.includes('account:write'));
  return {
    ...row,
    webhookSecret: mayWrite && row.webhookSecret !== null ? contactSecret(ctx.secrets.open('webhook', row.webhookSecret)) : null,
    emailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
