import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import { supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { maskAddress } from '../../collect/classify';
import { DAY, HOUR } from '../../zone';
import { actorOf, record } from '../audit';
import { fileKey } from './files';
import * as queries from './queries';
import type { Db, FileRow } from './queries';
import { supportBlocks, supportConversations, supportFiles, supportSettings, supportVisitors } from './schema';
import { findVisitorById } from './visitors';

const c = supportConversations;
const v = supportVisitors;
const batch = 500;
/** How long removed conversations can be restored, ms. */
const restorableFor = HOUR;

const removeBytes = async (ctx: Context, files: readonly Pick<FileRow, 'siteId' | 'id'>[]): Promise<void> => {
  for (const file of files) await ctx.files.remove(fileKey(file));
};

/** Erases conversations with messages and files, for good. Their change is that of the site, so that consoles that follow forget them. */
async function eraseConversations(ctx: Context, rows: readonly { readonly id: string; readonly siteId: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const { db } = ctx.postgres;
  const ids = rows.map(({ id }) => id);
  const files = await db.select({ id: supportFiles.id, siteId: supportFiles.siteId }).from(supportFiles).where(inArray(supportFiles.conversationId, ids));
  await db.delete(c).where(inArray(c.id, ids));
  await removeBytes(ctx, files);
}

/** Erases a visitor with everything that the visitor sent, and the block of the visitor. */
export async function eraseVisitor(ctx: Context, call: CallOf<typeof endpoints.removeSupportVisitor>): Promise<void> {
  const { site, params } = call;
  const { db } = ctx.postgres;
  const visitor = (await findVisitorById(db, site.id, params.id)) ?? fail('not_found');
  const rows = await db.select({ id: c.id, version: c.version }).from(c).where(eq(c.visitorId, visitor.id));
  const files =
    rows.length === 0
      ? []
      : await db
          .select({ id: supportFiles.id, siteId: supportFiles.siteId })
          .from(supportFiles)
          .where(
            inArray(
              supportFiles.conversationId,
              rows.map(({ id }) => id),
            ),
          );
  const change = await db.transaction(async (tx) => {
    await tx.delete(supportBlocks).where(and(eq(supportBlocks.siteId, site.id), eq(supportBlocks.kind, 'visitor'), eq(supportBlocks.value, visitor.id)));
    await tx.delete(v).where(eq(v.id, visitor.id));
    await record(ctx, tx, actorOf(call), {
      action: 'support.visitor_erased',
      siteId: site.id,
      target: { kind: 'supportVisitor', id: visitor.id, name: '' },
      after: { conversations: rows.length, files: files.length },
    });
    return queries.nextChange(tx, site.id);
  });
  await removeBytes(ctx, files);
  for (const { id, version } of rows) ctx.live.publish({ type: 'support', siteId: site.id, conversationId: id, version, change });
}

/** Erases removed conversations once they cannot be restored any more. Runs on a schedule. */
export async function eraseRemoved(ctx: Context): Promise<void> {
  const rows = await ctx.postgres.db
    .select({ id: c.id, siteId: c.siteId })
    .from(c)
    .where(and(isNotNull(c.removedAt), lt(c.removedAt, new Date(ctx.now() - restorableFor))))
    .limit(batch);
  await eraseConversations(ctx, rows);
}

/** Truncates addresses of visitors, and erases what the site's retention no longer allows. Runs on a schedule. */
export async function retain(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  while ((await truncateAddresses(ctx, db)) === batch);
  const now = new Date(ctx.now()).toISOString();
  // Sites without settings have the usual retention.
  const oldest = sql`${now}::timestamptz - make_interval(days => coalesce((${supportSettings.settings}->>'retentionDays')::int, ${supportLimits.retentionDays.usual}::int))`;
  for (;;) {
    const rows = await db
      .select({ id: c.id, siteId: c.siteId })
      .from(c)
      .leftJoin(supportSettings, eq(supportSettings.siteId, c.siteId))
      .where(sql`${c.lastMessageAt} < ${oldest}`)
      .limit(batch);
    await eraseConversations(ctx, rows);
    if (rows.length < batch) break;
  }
  const forgotten = db
    .select({ id: v.id })
    .from(v)
    .leftJoin(supportSettings, eq(supportSettings.siteId, v.siteId))
    .where(sql`${v.lastSeenAt} < ${oldest} and not exists (select from ${c} where ${c.visitorId} = ${v.id})`);
  await db.delete(v).where(inArray(v.id, forgotten));
}

async function truncateAddresses(ctx: Context, db: Db): Promise<number> {
  const rows = await db
    .select({ id: v.id, address: v.address })
    .from(v)
    .where(and(eq(v.addressTruncated, false), lt(v.lastSeenAt, new Date(ctx.now() - supportLimits.addressDays * DAY))))
    .limit(batch);
  for (const { id, address } of rows)
    await db
      .update(v)
      .set({ address: maskAddress(address), addressTruncated: true })
      .where(eq(v.id, id));
  return rows.length;
}
