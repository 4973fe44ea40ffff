import type { FastifyInstance } from 'fastify';
import { peopleEndpoints as endpoints } from '../../../contract/people/schemas';
import type { Invite, CreatedInvite, SiteGrant } from '../../../contract/people/schemas';
import { may, mayAssign } from '../../../contract/permissions';
import type { z } from 'zod';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import type { FieldErrors } from '../../http/failure';
import { queueMail } from '../../mail';
import { actorOf, record } from '../audit';
import { acting } from './acting';
import type { Acts, Tx } from './acting';
import * as invites from './inviteQueries';
import type { InviteRecord } from './inviteQueries';
import { mailedToken } from './inviteTokens';
import { inviteMail } from './mails';
import * as queries from './queries';
import type { UserRecord } from './queries';
import { hashToken, makeToken } from '../../kit/tokens';

const day = 24 * 3_600_000;
const mostResent = 5;

function stateOf({ acceptedAt, revokedAt, expiresAt }: InviteRecord, now: number): Invite['state'] {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt.getTime() <= now ? 'expired' : 'open';
}

const about = ({ id, email }: InviteRecord) => ({ target: { kind: 'invite', id, name: email ?? '' } });

const inviteResponse = (invite: InviteRecord, by: UserRecord | null, now: number): Invite => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  grants: invite.grants,
  message: invite.message,
  state: stateOf(invite, now),
  invitedBy: by?.displayName ?? '',
  createdAt: invite.createdAt.toISOString(),
  expiresAt: invite.expiresAt.toISOString(),
  resent: invite.resent,
});

function grantErrors(grants: readonly SiteGrant[], known: ReadonlySet<string>): FieldErrors {
  const fields: Record<string, FieldErrors[string]> = {};
  for (const [n, { siteId }] of grants.entries()) {
    if (!known.has(siteId)) fields[`grants.${n}.siteId`] = { code: 'unknown' };
    else if (grants.findIndex((other) => other.siteId === siteId) < n) fields[`grants.${n}.siteId`] = { code: 'duplicate' };
  }
  return fields;
}

type InviteResponse = z.input<typeof CreatedInvite>;

const linkWith = (ctx: Context, token: string): string => `${ctx.config.publicUrl}/sign/invite#t=${token}`;

/** Mails the invitation if it has an address. The mail has its own link, different from the one in the response. */
async function sendInvite(ctx: Context, tx: Tx, invite: InviteRecord, by: UserRecord, token: string): Promise<InviteResponse> {
  const sites =
    invite.grants.length === 0
      ? []
      : await queries.liveSites(
          tx,
          invite.grants.map(({ siteId }) => siteId),
        );
  const { email, role, message, expiresAt } = invite;
  const mailed =
    email !== null &&
    (await queueMail(
      ctx,
      tx,
      inviteMail(
        { email, locale: by.locale, timeZone: by.timeZone },
        { by: by.displayName, role, sites: sites.map(({ name }) => name), message, expiresAt, url: linkWith(ctx, mailedToken(ctx, token)) },
      ),
      { kind: 'invite' },
    ));
  return { invite: inviteResponse(invite, by, ctx.now()), url: linkWith(ctx, token), mailed };
}

async function listInvites(ctx: Context, { session }: CallOf<typeof endpoints.invites>): Promise<Invite[]> {
  const now = ctx.now();
  const among = session.token?.siteIds ?? null;
  const rows = (await invites.allInvites(ctx.postgres.db)).map(({ invite, by }) => inviteResponse(invite, by, now));
  const visible = rows.map((row) => (among === null ? row : { ...row, grants: row.grants.filter(({ siteId }) => among.includes(siteId)) }));
  return [...visible.filter(({ state }) => state === 'open'), ...visible.filter(({ state }) => state !== 'open')];
}

function invitePerson(ctx: Context, call: CallOf<typeof endpoints.invite>, act: Acts): Promise<InviteResponse> {
  return act(endpoints.invite, call, 'people.manage', async ({ tx, actor, refuse }) => {
    const { email, role, message, days } = call.body;
    if (!mayAssign(actor.role, role)) refuse();
    const fields = grantErrors(
      call.body.grants,
      new Set(
        (
          await queries.liveSites(
            tx,
            call.body.grants.map(({ siteId }) => siteId),
          )
        ).map(({ id }) => id),
      ),
    );
    if (Object.keys(fields).length > 0) fail('invalid_fields', { fields });
    const now = new Date(ctx.now());
    if (email !== null && (await queries.isEmailInUse(tx, email))) fail('email_taken', { fields: { email: { code: 'taken' } } });
    if (email !== null && (await invites.hasOpenInvite(tx, email, now))) failField('email', 'duplicate');
    const token = makeToken();
    const invite = await invites.insertInvite(tx, {
      tokenHash: hashToken(token),
      email,
      role,
      // Whoever sees all sites has no use for grants.
      grants: may(role, 'site.seeAll') ? [] : call.body.grants,
      message,
      days,
      createdBy: actor.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + days * day),
    });
    await record(ctx, tx, actorOf(call), { action: 'person.invited', ...about(invite), after: { email, role, grants: invite.grants, days } });
    return sendInvite(ctx, tx, invite, actor, token);
  });
}

function resendInvite(ctx: Context, call: CallOf<typeof endpoints.resendInvite>, act: Acts): Promise<InviteResponse> {
  return act(endpoints.resendInvite, call, 'people.manage', async ({ tx, actor, refuse }) => {
    const invite = (await invites.lockInvite(tx, call.params.id)) ?? fail('not_found');
    if (!mayAssign(actor.role, invite.role)) refuse();
    if (!['open', 'expired'].includes(stateOf(invite, ctx.now()))) fail('bad_transition');
    if (invite.resent >= mostResent) fail('too_many_requests');
    const token = makeToken();
    const renewed = await invites.renewInvite(tx, invite.id, actor.id, hashToken(token), new Date(ctx.now() + invite.days * day));
    await record(ctx, tx, actorOf(call), { action: 'person.invite_resent', ...about(renewed), after: { resent: renewed.resent } });
    return sendInvite(ctx, tx, renewed, actor, token);
  });
}

function revokeInvite(ctx: Context, call: CallOf<typeof endpoints.revokeInvite>, act: Acts): Promise<void> {
  return act(endpoints.revokeInvite, call, 'people.manage', async ({ tx, actor, refuse }) => {
    const invite = (await invites.lockInvite(tx, call.params.id)) ?? fail('not_found');
    if (!mayAssign(actor.role, invite.role)) refuse();
    if (!['open', 'expired'].includes(stateOf(invite, ctx.now()))) fail('bad_transition');
    await invites.revokeInvite(tx, invite.id, new Date(ctx.now()));
    await record(ctx, tx, actorOf(call), { action: 'person.invite_revoked', ...about(invite) });
  });
}

/** Asking people in, by a link that works once. */
export function registerInvites(app: FastifyInstance, ctx: Context): void {
  const act = acting(app, ctx);

  route(app, ctx, endpoints.invites, (call) => listInvites(ctx, call));

  route(app, ctx, endpoints.invite, (call) => invitePerson(ctx, call, act));

  route(app, ctx, endpoints.resendInvite, (call) => resendInvite(ctx, call, act));

  route(app, ctx, endpoints.revokeInvite, (call) => revokeInvite(ctx, call, act));
}
