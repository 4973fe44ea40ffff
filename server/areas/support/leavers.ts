import { and, eq, inArray, isNotNull, not } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Context } from '../../context';
import { hasPermission } from '../sites';
import { edit, systemAuthor } from './editing';
import { supportAgents as a, supportConversations as c } from './schema';

const batch = 200;
/** Conversations that an agent still has to do with. */
const unfinished = ['open', 'waiting', 'snoozed'] as const;

/**
 * Takes unfinished conversations from people who may no longer answer visitors of the site, because they lost their role or their account, and ends their
 * presence. `userId`: of one person only. Rights change in several areas, and somebody may be assigned while they lose theirs, so that the rows are compared
 * with the rights that exist.
 */
async function unassign(ctx: Pick<Context, 'postgres' | 'live' | 'now'>, userId?: string): Promise<void> {
  const { db } = ctx.postgres;
  const gone = await db
    .delete(a)
    .where(and(userId === undefined ? undefined : eq(a.userId, userId), not(hasPermission(a.userId, a.siteId, 'support.reply'))))
    .returning({ siteId: a.siteId });
  for (const siteId of new Set(gone.map((row) => row.siteId))) ctx.live.publish({ type: 'supportAgents', siteId, agent: null });
  const left = and(isNotNull(c.assigneeId), inArray(c.state, [...unfinished]), not(hasPermission(c.assigneeId, c.siteId, 'support.reply')));
  const find = (which: SQL | undefined) => db.select({ id: c.id, siteId: c.siteId }).from(c).where(and(left, which)).limit(batch);
  for (let rows = batch; rows === batch;) {
    const found = await find(userId === undefined ? undefined : eq(c.assigneeId, userId));
    rows = found.length;
    for (const { id, siteId } of found)
      await edit(ctx, siteId, id, async (editor) => {
        const { assigneeId } = editor.row;
        // Passed on, or the right restored, before the conversation was locked.
        const [still] = await editor.tx
          .select({ id: c.id })
          .from(c)
          .where(and(eq(c.id, editor.row.id), left));
        if (still === undefined || assigneeId === null) return;
        editor.addEvent(systemAuthor, 'unassigned', assigneeId);
        editor.set({ assigneeId: null });
      });
  }
}

/** Runs on a schedule: finds what no event announced. */
export const unassignLeavers = (ctx: Context): Promise<void> => unassign(ctx);

/** Roles and accounts are announced once they have changed. */
export function watchPeople(ctx: Context): { readonly close: () => Promise<void> } {
  let last = Promise.resolve();
  const stop = ctx.live.subscribe((event) => {
    if (event.type !== 'user') return;
    last = last
      .then(() => unassign(ctx, event.userId))
      .catch((error: unknown) => ctx.log.warn('The conversations of a person could not be compared with their rights', { userId: event.userId, error }));
  });
  return {
    close: async () => {
      stop();
      await last;
    },
  };
}
