import type { FastifyInstance } from 'fastify';
import { accountEndpoints as endpoints } from '../../../contract/account/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { actorOf, record } from '../audit';
import { policyOf, renameEvery, rotateToken } from '../session';
import { heldFor } from './deletion';
import { claimLoginName } from './names';
import { originOf, tell } from './notify';
import { announceUser, userResponse, targetOf } from './profile';
import * as queries from './queries';
import { createThrottle } from '../../kit/throttle';

const renamesPerHour = 10;

/** Changing one's own login name: subject to `claimLoginName`, once every fourteen days, and only if the policy allows it. Owners may always rename. */
export function registerRename(app: FastifyInstance, ctx: Context): void {
  const throttle = createThrottle(ctx);

  route(app, ctx, endpoints.rename, async (call) => {
    const { session, body, request, reply } = call;
    const { loginName } = body;
    await throttle.limit(`rename ${session.userId}`, renamesPerHour, 3600);
    const isOwner = session.role === 'owner';
    if (!isOwner && !(await policyOf(ctx)).selfRename) fail('forbidden');
    const now = ctx.now();
    const user = await ctx.postgres.db
      .transaction(async (tx) => {
        await queries.lockNames(tx);
        const before = (await queries.lockUser(tx, session.userId)) ?? fail('not_found');
        if (before.loginName === loginName) return before;
        const changed = before.loginNameChangedAt?.getTime() ?? null;
        if (!isOwner && changed !== null && now - changed < renameEvery) failField('loginName', 'too_soon');
        await claimLoginName(ctx, tx, loginName, before.id);
        await queries.releaseName(tx, loginName);
        await queries.holdName(tx, before.loginName, before.id, new Date(now + heldFor));
        const after = (await queries.setLoginName(tx, before.id, loginName, new Date(now))) ?? fail('not_found');
        const [was, is] = [{ loginName: before.loginName }, { loginName }];
        await record(ctx, tx, actorOf(call), { action: 'account.renamed', target: targetOf(after), before: was, after: is });
        await tell(ctx, tx, after, 'renamed', originOf(ctx, request), { facts: { login: loginName, was: before.loginName }, page: 'security' });
        return after;
      })
      // The unique index rejects writers that skip `claimLoginName`.
      .catch((error: unknown) =>
        violatedConstraint(error) === 'users_login_name_key' ? fail('name_taken', { fields: { loginName: { code: 'taken' } } }) : Promise.reject(error),
      );
    await rotateToken(ctx, reply, session, false);
    announceUser(ctx, user.id);
    return userResponse(user, session);
  });
}
