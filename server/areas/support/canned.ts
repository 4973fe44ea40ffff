import { and, desc, eq, isNull, or, sql } from 'drizzle-orm';
import { mayOnSite } from '../../../contract/permissions';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import type { CannedReply } from '../../../contract/support/settings';
import { supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { SiteAccess } from '../../http/access';
import type { CallOf } from '../../http/route';
import { defineRemoval } from '../../kit/removals';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { actorOf, record } from '../audit';
import type { Db } from './queries';
import { supportCanned } from './schema';

type Row = typeof supportCanned.$inferSelect;
const k = supportCanned;
const removal = defineRemoval('support_canned', k);

const response = ({ id, shortcut, title, body, ownerId, uses, lastUsedAt, revision }: Row): CannedReply => ({
  id,
  shortcut,
  title,
  body,
  uses,
  revision,
  scope: ownerId === null ? 'site' : 'mine',
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
const about = ({ siteId, id, shortcut }: Row) => ({ siteId, target: { kind: 'cannedReply', id, name: `/${shortcut}` } });

/** Those of the site and the person's own; those of others do not exist. */
const visibleTo = (siteId: string, userId: string) => and(eq(k.siteId, siteId), or(isNull(k.ownerId), eq(k.ownerId, userId)));

async function find(db: Db, siteId: string, userId: string, id: string): Promise<Row> {
  const [row] = await db
    .select()
    .from(k)
    .where(and(visibleTo(siteId, userId), eq(k.id, id)))
    .for('update');
  return row ?? fail('not_found');
}

/** Canned replies of the site are those of whoever may configure customer service. */
function checkScope(site: SiteAccess, scope: CannedReply['scope']): void {
  if (scope === 'site' && !mayOnSite(site.role, 'support.configure')) fail('forbidden');
}

/** Runs a write. A shortcut is unique among those of the site, and among those of a person. */
async function written<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'support_canned_site_key' || constraint === 'support_canned_own_key') return failField('shortcut', 'taken');
    throw error;
  });
}

export async function listCanned(ctx: Context, { site, session }: CallOf<typeof endpoints.cannedReplies>): Promise<CannedReply[]> {
  const rows = await ctx.postgres.db.select().from(k).where(visibleTo(site.id, session.userId)).orderBy(desc(k.uses), k.shortcut);
  return rows.map(response);
}

export async function addCanned(ctx: Context, call: CallOf<typeof endpoints.addCannedReply>): Promise<CannedReply> {
  const { site, session, body } = call;
  const { scope, ...fields } = body;
  checkScope(site, scope);
  const { db } = ctx.postgres;
  if ((await db.$count(k, eq(k.siteId, site.id))) >= supportLimits.cannedReplies) fail('conflict');
  return written(
    db.transaction(async (tx) => {
      const values = { ...fields, siteId: site.id, ownerId: scope === 'site' ? null : session.userId, createdAt: new Date(ctx.now()) };
      const [row] = await tx.insert(k).values(values).returning();
      if (!row) throw new Error('PostgreSQL returned no row');
      await record(ctx, tx, actorOf(call), { action: 'support.canned_added', ...about(row) });
      return response(row);
    }),
  );
}

export async function changeCanned(ctx: Context, call: CallOf<typeof endpoints.changeCannedReply>): Promise<CannedReply> {
  const { site, session, params, body, ifMatch } = call;
  const { scope, ...fields } = body;
  return written(
    ctx.postgres.db.transaction(async (tx) => {
      const before = await find(tx, site.id, session.userId, params.id);
      for (const needed of [response(before).scope, scope]) checkScope(site, needed);
      if (before.revision !== ifMatch()) fail('stale_revision', { current: response(before) });
      const [row] = await tx
        .update(k)
        .set({ ...fields, ownerId: scope === 'site' ? null : session.userId, revision: before.revision + 1 })
        .where(eq(k.id, before.id))
        .returning();
      if (!row) throw new Error('PostgreSQL returned no row');
      await record(ctx, tx, actorOf(call), { action: 'support.canned_changed', ...about(row) });
      return response(row);
    }),
  );
}

export async function removeCanned(ctx: Context, call: CallOf<typeof endpoints.removeCannedReply>): Promise<void> {
  const { site, session, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const row = await find(tx, site.id, session.userId, params.id);
    checkScope(site, response(row).scope);
    await removal.store(ctx, tx, { siteId: site.id, id: row.id, by: session.userId });
    await tx.delete(k).where(eq(k.id, row.id));
    await record(ctx, tx, actorOf(call), { action: 'support.canned_removed', ...about(row) });
  });
}

export async function restoreCanned(ctx: Context, call: CallOf<typeof endpoints.restoreCannedReply>): Promise<CannedReply> {
  const { site, session, params } = call;
  return ctx.postgres.db.transaction(async (tx) => {
    await removal.restore(ctx, tx, { siteId: site.id, id: params.id, by: session.userId });
    const row = await find(tx, site.id, session.userId, params.id);
    checkScope(site, response(row).scope);
    if ((await ctx.postgres.db.$count(k, eq(k.siteId, site.id))) >= supportLimits.cannedReplies) fail('conflict');
    await record(ctx, tx, actorOf(call), { action: 'support.canned_restored', ...about(row) });
    return response(row);
  });
}

/** Counts a use; one that was removed meanwhile does not matter. */
export async function useCanned(ctx: Pick<Context, 'postgres' | 'now'>, siteId: string, userId: string, id: string): Promise<void> {
  await ctx.postgres.db
    .update(k)
    .set({ uses: sql`${k.uses} + 1`, lastUsedAt: new Date(ctx.now()) })
    .where(and(visibleTo(siteId, userId), eq(k.id, id)));
}
