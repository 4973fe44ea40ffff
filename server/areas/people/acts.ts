import type { FastifyInstance } from 'fastify';
import { peopleEndpoints as endpoints } from '../../../contract/people/schemas';
import type { Person } from '../../../contract/people/schemas';
import { instanceRoles, mayAssign } from '../../../contract/permissions';
import type { InstanceRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { queueMail } from '../../mail';
import { deletePerson } from '../account';
import type { Area } from '../area';
import { actorOf, record } from '../audit';
import { tellSecurity } from '../contacts';
import { announceEnd, deleteSessions, forgetDevices, makeLink, removeFactors, rotateSessionsOf, tellPerson } from '../session';
import { acting, targetOf } from './acting';
import type { Acts, Tx } from './acting';
import { revokeInvitesBy } from './inviteQueries';
import { resetLinkMail, roleMail } from './mails';
import * as queries from './queries';
import { about, isElevated, personNow, recipientOf } from './responses';

/** Their own tabs, and lists of people, fetch again. */
const announce = (ctx: Context, userId: string): void => ctx.live.publish({ type: 'user', userId });

/** Links that somebody has handed out end with the right to. */
const revokeBeyond = async (ctx: Context, tx: Tx, userId: string, role: InstanceRole | null): Promise<void> => {
  const lost = instanceRoles.filter((candidate) => role === null || !mayAssign(role, candidate));
  if (lost.length > 0) await revokeInvitesBy(tx, userId, lost, new Date(ctx.now()));
};

async function changeRole(ctx: Context, call: CallOf<typeof endpoints.changePerson>, act: Acts): Promise<Person> {
  const { params, body } = call;
  const revision = call.ifMatch();
  const person = await act(endpoints.changePerson, call, 'people.manage', async (doing) => {
    const { tx, actor, refuse } = doing;
    if (!mayAssign(actor.role, body.role)) refuse();
    const target = await targetOf(doing, params.id, { staysOwner: body.role === 'owner' });
    if (target.revision !== revision) fail('stale_revision', { current: await personNow(ctx, tx, target.id) });
    if (target.role === body.role) return personNow(ctx, tx, target.id);
    await queries.setRole(tx, target.id, body.role);
    await rotateSessionsOf(tx, target.id);
    await revokeBeyond(ctx, tx, target.id, body.role);
    await record(ctx, tx, actorOf(call), { action: 'person.role_changed', ...about(target), before: { role: target.role }, after: { role: body.role } });
    if (isElevated(body.role)) await tellSecurity(ctx, tx, { kind: 'elevated', person: target.loginName, role: body.role, by: actor.loginName });
    const to = recipientOf(target);
    if (to && target.notices.access && target.id !== actor.id)
      await queueMail(ctx, tx, roleMail(to, actor.displayName, target.role, body.role, ctx.config.publicUrl), { kind: 'access' });
    return personNow(ctx, tx, target.id);
  });
  announce(ctx, person.id);
  return person;
}

async function signOutPerson(ctx: Context, call: CallOf<typeof endpoints.signOutPerson>, act: Acts): Promise<ResponseOf<typeof endpoints.signOutPerson>> {
  const ended = await act(endpoints.signOutPerson, call, 'people.manage', async (doing) => {
    const target = await targetOf(doing, call.params.id);
    const sessions = await deleteSessions(doing.tx, target.id);
    await forgetDevices(doing.tx, target.id);
    await record(ctx, doing.tx, actorOf(call), { action: 'person.signed_out', ...about(target), after: { sessions: sessions.length } });
    return sessions;
  });
  announceEnd(ctx, ended);
  announce(ctx, call.params.id);
  return { ended: ended.length };
}

async function disablePerson(ctx: Context, call: CallOf<typeof endpoints.disablePerson>, act: Acts): Promise<Person> {
  const { person, ended } = await act(endpoints.disablePerson, call, 'people.manage', async (doing) => {
    const { tx, actor, refuse } = doing;
    if (call.params.id === actor.id) refuse();
    const target = await targetOf(doing, call.params.id, { staysOwner: false });
    if (target.disabled) fail('bad_transition');
    await queries.setDisabled(tx, target.id, true);
    const sessions = await deleteSessions(tx, target.id);
    await revokeBeyond(ctx, tx, target.id, null);
    await record(ctx, tx, actorOf(call), { action: 'person.disabled', ...about(target), before: { state: 'active' }, after: { state: 'disabled' } });
    return { person: await personNow(ctx, tx, target.id), ended: sessions };
  });
  announceEnd(ctx, ended);
  announce(ctx, person.id);
  return person;
}

async function enablePerson(ctx: Context, call: CallOf<typeof endpoints.enablePerson>, act: Acts): Promise<Person> {
  const person = await act(endpoints.enablePerson, call, 'people.manage', async (doing) => {
    const target = await targetOf(doing, call.params.id);
    if (!target.disabled) fail('bad_transition');
    await queries.setDisabled(doing.tx, target.id, false);
    await record(ctx, doing.tx, actorOf(call), { action: 'person.enabled', ...about(target), before: { state: 'disabled' }, after: { state: 'active' } });
    return personNow(ctx, doing.tx, target.id);
  });
  announce(ctx, person.id);
  return person;
}

async function resetPersonFactor(ctx: Context, call: CallOf<typeof endpoints.resetPersonFactor>, act: Acts): Promise<Person> {
  const { person, ended } = await act(endpoints.resetPersonFactor, call, 'people.reset', async (doing) => {
    const { tx, actor, refuse } = doing;
    // One's own are removed one by one, where the policy is looked at.
    if (call.params.id === actor.id) refuse();
    const target = await targetOf(doing, call.params.id);
    await removeFactors(tx, target.id);
    // Whoever holds the lost phone may hold a session too.
    const sessions = await deleteSessions(tx, target.id);
    await forgetDevices(tx, target.id);
    await record(ctx, tx, actorOf(call), {
      action: 'factor.reset',
      ...about(target),
      before: { secondFactor: target.secondFactor },
      after: { secondFactor: false },
    });
    await tellPerson(ctx, tx, target, 'factor_reset', null);
    await tellSecurity(ctx, tx, { kind: 'factor_reset', person: target.loginName });
    return { person: await personNow(ctx, tx, target.id), ended: sessions };
  });
  announceEnd(ctx, ended);
  announce(ctx, person.id);
  return person;
}

function makePersonLink(ctx: Context, call: CallOf<typeof endpoints.personLink>, act: Acts): Promise<ResponseOf<typeof endpoints.personLink>> {
  return act(endpoints.personLink, call, 'people.reset', async (doing) => {
    const { tx, actor } = doing;
    const { kind } = call.body;
    const target = await targetOf(doing, call.params.id);
    // Whoever may not sign in has no use for a link; a password of one's own is changed by showing the old one.
    if (target.disabled || (kind === 'reset' && target.id === actor.id)) fail('conflict');
    const link =
      kind === 'reset'
        ? await makeLink(ctx, tx, { kind, userId: target.id })
        : await makeLink(ctx, tx, { kind, userId: target.id, email: target.pendingEmail ?? fail('conflict') });
    await record(ctx, tx, actorOf(call), { action: 'person.link_made', ...about(target), after: { kind, expiresAt: link.expiresAt.toISOString() } });
    const to = recipientOf(target);
    if (to && kind === 'reset') await queueMail(ctx, tx, resetLinkMail(to, actor.displayName, ctx.config.publicUrl), { kind: 'link' });
    return { url: link.url, expiresAt: link.expiresAt.toISOString() };
  });
}

async function removePerson(ctx: Context, call: CallOf<typeof endpoints.removePerson>, act: Acts, areas: readonly Area[]): Promise<void> {
  const ended = await act(endpoints.removePerson, call, 'people.manage', async (doing) => {
    const { tx, actor, refuse } = doing;
    // The own account is closed in the own profile.
    if (call.params.id === actor.id) refuse();
    const target = await targetOf(doing, call.params.id, { staysOwner: false });
    if (call.body.confirm.normalize('NFKC').trim().toLowerCase() !== target.loginName) fail('confirm_mismatch');
    const { number, endedSessions } = await deletePerson(ctx, tx, target.id, areas);
    await record(ctx, tx, actorOf(call), {
      action: 'person.deleted',
      ...about(target),
      before: { loginName: target.loginName, displayName: target.displayName, role: target.role },
      after: { number },
    });
    return endedSessions;
  });
  announceEnd(ctx, ended);
  announce(ctx, call.params.id);
}

/** What managers do to accounts one by one. */
export function registerActs(app: FastifyInstance, ctx: Context, areas: readonly Area[]): void {
  const act = acting(app, ctx);
  route(app, ctx, endpoints.changePerson, (call) => changeRole(ctx, call, act));
  route(app, ctx, endpoints.signOutPerson, (call) => signOutPerson(ctx, call, act));
  route(app, ctx, endpoints.disablePerson, (call) => disablePerson(ctx, call, act));
  route(app, ctx, endpoints.enablePerson, (call) => enablePerson(ctx, call, act));
  route(app, ctx, endpoints.resetPersonFactor, (call) => resetPersonFactor(ctx, call, act));
  route(app, ctx, endpoints.personLink, (call) => makePersonLink(ctx, call, act));
  route(app, ctx, endpoints.removePerson, (call) => removePerson(ctx, call, act, areas));
}
