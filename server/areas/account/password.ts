import type { FastifyInstance } from 'fastify';
import { accountEndpoints as endpoints } from '../../../contract/account/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { actorOf, record } from '../audit';
import { announceEnd, deleteSessions, endLinks, forgetDevices, knownDevice, newPassword, findPasswordError, provePassword, replaceToken } from '../session';
import { originOf, tell } from './notify';
import { targetOf } from './profile';
import { siteNamesFor } from '../sites';
import * as queries from './queries';
import { createThrottle } from '../../kit/throttle';

/** Changing one's own password. All other sessions and open reset links end. */
export function registerPassword(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);

  route(app, ctx, endpoints.changePassword, async (call) => {
    const { session, body, request, reply } = call;
    await provePassword(ctx, throttle, session, body.current, 'current');
    const user = (await queries.findUser(db, session.userId)) ?? fail('not_found');
    const siteNames = await siteNamesFor(db, user);
    const error = await findPasswordError(body.next, { ...user, siteNames }, { secondFactor: user.secondFactor });
    if (error) fail('invalid_fields', { fields: { next: error } });
    const values = await newPassword(body.next, ctx.now());
    const device = await knownDevice(ctx, request, user.id);
    // The token is replaced first: if the program stops in between, no session has the old token with the new password.
    await replaceToken(ctx, reply, session);
    const ended = await db.transaction(async (tx) => {
      await queries.setPassword(tx, user.id, values);
      await forgetDevices(tx, user.id, device);
      // A reset link requested before the change must not be able to overwrite the new password.
      await endLinks(tx, user.id, 'reset');
      await record(ctx, tx, actorOf(call), { action: 'account.password_changed', target: targetOf(user) });
      await tell(ctx, tx, user, 'passwordChanged', originOf(ctx, request), { facts: { login: user.loginName }, page: 'security' });
      return deleteSessions(tx, user.id, session.id);
    });
    announceEnd(ctx, ended);
  });
}
