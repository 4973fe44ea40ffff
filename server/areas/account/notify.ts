import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context';
import { clientAddress } from '../../http/address';
import { queueMail } from '../../mail';
import { accountMail } from './mails';
import type { Origin, Recipient } from './mails';
import type { UserRecord } from './queries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

export const originOf = (ctx: Pick<Context, 'now'>, request: FastifyRequest): Origin => ({
  at: ctx.now(),
  address: clientAddress(request),
  userAgent: request.headers['user-agent'] ?? '',
});

/** The recipient of account mail. Only a confirmed address receives it. */
export const reachable = ({ email, emailVerifiedAt, locale, timeZone }: UserRecord): Recipient | null =>
  email !== null && emailVerifiedAt !== null ? { email, locale, timeZone } : null;

const pages = { sign: '/sign/', security: '/account/center/account_center?tab=security' } as const;

type Notice = 'passwordReset' | 'passwordChanged' | 'renamed' | 'emailAsked' | 'emailChanged' | 'emailRemoved' | 'closed';

/** Notifies a person of a change to their account, in the transaction of the change. People without a confirmed address receive no mail. */
export async function tell(
  ctx: Context,
  tx: Db,
  user: UserRecord,
  kind: Notice,
  origin: Origin,
  extra: { readonly facts?: Partial<Record<'login' | 'was' | 'email' | 'next', string>>; readonly page?: keyof typeof pages } = {},
): Promise<void> {
  const to = reachable(user);
  if (!to) return;
  const { facts = {}, page } = extra;
  await queueMail(ctx, tx, accountMail(kind, to, origin, { facts, ...(page ? { url: ctx.config.publicUrl + pages[page] } : {}) }), { kind: `account.${kind}` });
}
