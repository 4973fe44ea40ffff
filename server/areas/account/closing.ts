import type { FastifyInstance } from 'fastify';
import { accountEndpoints as endpoints } from '../../../contract/account/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { Area } from '../area';
import { actorOf, record } from '../audit';
import { announceEnd, clearSessionCookie } from '../session';
import { deletePerson } from './deletion';
import { originOf, tell } from './notify';
import { targetOf } from './profile';
import * as queries from './queries';
import { createThrottle } from '../../kit/throttle';

const exportsPerHour = 10;

/** Account export and account closing. */
export function registerClosing(app: FastifyInstance, ctx: Context, areas: readonly Area[]): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);

  route(app, ctx, endpoints.exportAccount, async (call) => {
    const { session, reply } = call;
    await throttle.limit(`export ${session.userId}`, exportsPerHour, 3600);
    const now = new Date(ctx.now());
    const user = (await queries.findUser(db, session.userId)) ?? fail('not_found');
    await record(ctx, db, actorOf(call), { action: 'account.exported', target: targetOf(user) });
    let sections: Record<string, unknown> = { exportedAt: now };
    for (const { exportPerson } of areas) sections = { ...sections, ...(await exportPerson?.(db, user.id, now)) };
    const text = JSON.stringify(sections, null, 2);
    // ASCII only, so that every system can save the file: login names may be Chinese.
    const name = `sitewright-account-${now.toISOString().slice(0, 10)}.json`;
    return reply.type('application/json; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`).send(text);
  });

  route(app, ctx, endpoints.closeAccount, async (call) => {
    const { session, body, request, reply } = call;
    const { endedSessions } = await db.transaction(async (tx) => {
      const user = (await queries.findUser(tx, session.userId)) ?? fail('not_found');
      if (body.confirm.normalize('NFKC').trim().toLowerCase() !== user.loginName) fail('confirm_mismatch');
      const deleted = await deletePerson(ctx, tx, user.id, areas);
      await record(ctx, tx, actorOf(call), { action: 'account.closed', target: targetOf(user) });
      await tell(ctx, tx, user, 'closed', originOf(ctx, request), { facts: { login: user.loginName } });
      return deleted;
    });
    clearSessionCookie(ctx, reply);
    announceEnd(ctx, endedSessions);
  });
}
