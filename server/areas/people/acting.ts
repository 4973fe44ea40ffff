import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Endpoint } from '../../../contract/endpoint';
import { may, mayManage } from '../../../contract/permissions';
import type { InstanceAction } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail } from '../../http/failure';
import { assertNotLastOwner } from '../account';
import * as queries from './queries';
import type { UserRecord } from './queries';

export type Tx = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];
export type Acting = { readonly session: SessionInfo; readonly request: FastifyRequest };

/** The actor of an action, with the rights they have inside the transaction. */
export type Act = { readonly tx: Tx; readonly actor: UserRecord; /** Fails with 403 and is recorded like every refusal. */ readonly refuse: () => never };

/**
 * Runs actions on people one at a time, and checks the actor's rights again inside the transaction: if two people remove each other's rights at once, the
 * second no longer has any. `needs` is the permission required by the endpoint.
 */
export const acting =
  (app: FastifyInstance, ctx: Context) =>
  <T>(endpoint: Endpoint, call: Acting, needs: InstanceAction, work: (act: Act) => Promise<T>): Promise<T> =>
    ctx.postgres.db.transaction(async (tx) => {
      const refuse = (): never => {
        app.accessSource.denied(call.request, call.session, endpoint, 'forbidden');
        return fail('forbidden');
      };
      await queries.lockPeople(tx);
      const [actor] = await queries.findPeople(tx, [call.session.userId]);
      if (!actor || actor.disabled) return fail('unauthorized');
      if (!may(actor.role, needs)) refuse();
      return work({ tx, actor, refuse });
    });

/** Runs an act, see `acting`. */
export type Acts = ReturnType<typeof acting>;

/**
 * The person that an action concerns, locked; `not_found` if they do not exist, 403 if the actor does not manage them. `staysOwner` false: they stop being an
 * owner, so another must remain (`last_owner`). This is checked before locking the row, in the same order as when people close their own account.
 */
export async function targetOf({ tx, actor, refuse }: Act, id: string, { staysOwner = true }: { readonly staysOwner?: boolean } = {}): Promise<UserRecord> {
  const [before] = await queries.findPeople(tx, [id]);
  if (!before) return fail('not_found');
  if (!mayManage(actor.role, before.role)) refuse();
  if (!staysOwner) await assertNotLastOwner(tx, before.id);
  return (await queries.lockPerson(tx, before.id)) ?? fail('not_found');
}
