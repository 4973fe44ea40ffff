import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Agent } from '../../../contract/support/conversations';
import { activeStates, supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import type { CallOf } from '../../http/route';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import { users } from '../account/schema';
import { peopleWith } from '../sites';
import type { Db } from './queries';
import { supportAgents, supportConversations } from './schema';

const a = supportAgents;

/** Whether a person may currently answer visitors of the site. */
export const isAgent = async (db: Db, siteId: string, userId: string): Promise<boolean> => (await peopleWith(db, siteId, 'support.reply')).includes(userId);

/** Everybody who may answer visitors of the site, and who of them is there. */
export async function listAgents(ctx: Pick<Context, 'postgres' | 'now'>, siteId: string): Promise<Agent[]> {
  const { db } = ctx.postgres;
  const ids = await peopleWith(db, siteId, 'support.reply');
  if (ids.length === 0) return [];
  const c = supportConversations;
  const [people, assigned] = await Promise.all([
    db
      .select({ id: users.id, name: users.displayName, presence: a })
      .from(users)
      .leftJoin(a, and(eq(a.userId, users.id), eq(a.siteId, siteId)))
      .where(inArray(users.id, ids))
      .orderBy(asc(users.displayName), asc(users.id)),
    db
      .select({ id: c.assigneeId, active: sql<number>`count(*)::int` })
      .from(c)
      .where(and(eq(c.siteId, siteId), inArray(c.state, [...activeStates]), inArray(c.assigneeId, ids)))
      .groupBy(c.assigneeId),
  ]);
  const activeOf = new Map(assigned.map(({ id, active }) => [id, active]));
  const now = ctx.now();
  return people.map(({ id, name, presence }) => {
    const online = presence !== null && now - presence.seenAt.getTime() < supportLimits.presence.gone * 1000;
    const typing = online && presence.typingAt !== null && now - presence.typingAt.getTime() < supportLimits.typing * 1000;
    return { id, name, status: presence?.status ?? 'available', online, viewing: online ? presence.viewing : null, typing, active: activeOf.get(id) ?? 0 };
  });
}

/** The heartbeat of an agent's console: what it shows, and whether an answer is being typed. Other consoles are woken only by changes. */
export async function tellPresence(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  { site, session, body }: CallOf<typeof endpoints.supportPresence>,
): Promise<Agent[]> {
  const { db } = ctx.postgres;
  const now = new Date(ctx.now());
  const key = and(eq(a.siteId, site.id), eq(a.userId, session.userId));
  const [before] = await db.select().from(a).where(key);
  const seenAt = body.leaving ? new Date(now.getTime() - supportLimits.presence.gone * 1000) : now;
  const values = { status: body.status ?? before?.status ?? 'available', seenAt, viewing: body.viewing, typingAt: body.typing ? now : null };
  await db
    .insert(a)
    .values({ siteId: site.id, userId: session.userId, ...values })
    .onConflictDoUpdate({ target: [a.siteId, a.userId], set: values });
  if (body.typing && body.viewing !== null && (await isOfSite(db, site.id, body.viewing)))
    ctx.live.publish({ type: 'supportTyping', siteId: site.id, conversationId: body.viewing, userId: session.userId });
  const wasOnline = before !== undefined && now.getTime() - before.seenAt.getTime() < supportLimits.presence.gone * 1000;
  const changed =
    !wasOnline || body.leaving || before.viewing !== body.viewing || before.status !== values.status || (before.typingAt !== null) !== body.typing;
  const { status, viewing } = values;
  const online = !body.leaving;
  const agent = { id: session.userId, status, online, viewing: online ? viewing : null, typing: online && body.typing };
  if (changed) ctx.live.publish({ type: 'supportAgents', siteId: site.id, agent });
  return listAgents(ctx, site.id);
}

const isOfSite = async (db: Db, siteId: string, id: string): Promise<boolean> =>
  (
    await db
      .select({ id: supportConversations.id })
      .from(supportConversations)
      .where(and(eq(supportConversations.siteId, siteId), eq(supportConversations.id, id)))
  ).length > 0;

/** Wakes consoles once the heartbeat of an agent has stopped. Runs on a schedule. */
export async function noticeGoneAgents(ctx: Context): Promise<void> {
  const gone = ctx.now() - supportLimits.presence.gone * 1000;
  const rows = await ctx.postgres.db
    .select({ siteId: a.siteId, id: a.userId, status: a.status })
    .from(a)
    .where(and(gt(a.seenAt, new Date(gone - 60_000)), sql`${a.seenAt} <= ${new Date(gone).toISOString()}::timestamptz`));
  for (const { siteId, ...agent } of rows)
    ctx.live.publish({ type: 'supportAgents', siteId, agent: { ...agent, online: false, viewing: null, typing: false } });
}
