import { and, eq, inArray, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
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

const c = supportConversations;
const v = supportVisitors;
/** Rows of one statement, which may take five seconds: a conversation can have thousands of messages. */
const batch = 100;
/** How long removed conversations can be restored, ms. */
const restorableFor = HOUR;

const removeBytes = async (ctx: Context, files: readonly Pick<FileRow, 'siteId' | 'id'>[]): Promise<void> => {
  for (const file of files) await ctx.files.remove(fileKey(file));
};

const filesOf = async (db: Db, ids: readonly string[]): Promise<Pick<FileRow, 'siteId' | 'id'>[]> =>
  ids.length === 0
    ? []
    : db
        .select({ id: supportFiles.id, siteId: supportFiles.siteId })
        .from(supportFiles)
        .where(inArray(supportFiles.conversationId, [...ids]));

/**
 * Erases up to `batch` conversations that are due, with messages, files and what was merged into them, for good. A conversation in which somebody writes at
 * the same moment is locked, or no longer due once it is. Returns the number of conversations.
 */
async function eraseConversations(ctx: Context, due: SQL | undefined): Promise<number> {
  const { ids, files } = await ctx.postgres.db.transaction(async (tx) => {
    const rows = await tx.select({ id: c.id }).from(c).where(due).limit(batch).for('update', { skipLocked: true });
    const found = rows.map(({ id }) => id);
    const removed = await filesOf(tx, found);
    if (found.length > 0) await tx.delete(c).where(or(inArray(c.id, found), inArray(c.mergedInto, found)));
    return { ids: found, files: removed };
  });
  await removeBytes(ctx, files);
  return ids.length;
}

/** Erases a visitor with everything that the visitor sent, and the block of the visitor. What the visitor sends meanwhile waits, and then fails. */
export async function eraseVisitor(ctx: Context, call: CallOf<typeof endpoints.removeSupportVisitor>): Promise<void> {
  const { site, params } = call;
  const { rows, files, change } = await ctx.postgres.db.transaction(async (tx) => {
    const [visitor] = await tx
      .select({ id: v.id })
      .from(v)
      .where(and(eq(v.siteId, site.id), eq(v.id, params.id)))
      .for('update');
    if (!visitor) return fail('not_found');
    const conversations = await tx.select({ id: c.id, version: c.version }).from(c).where(eq(c.visitorId, visitor.id)).orderBy(c.id).for('update');
    const removed = await filesOf(
      tx,
      conversations.map(({ id }) => id),
    );
    await tx.delete(supportBlocks).where(and(eq(supportBlocks.siteId, site.id), eq(supportBlocks.kind, 'visitor'), eq(supportBlocks.value, visitor.id)));
    await tx.delete(v).where(eq(v.id, visitor.id));
    await record(ctx, tx, actorOf(call), {
      action: 'support.visitor_erased',
      siteId: site.id,
      target: { kind: 'supportVisitor', id: visitor.id, name: '' },
      after: { conversations: conversations.length, files: removed.length },
    });
    return { rows: conversations, files: removed, change: await queries.nextChange(tx, site.id) };
  });
  await removeBytes(ctx, files);
  for (const { id, version } of rows) ctx.live.publish({ type: 'support', siteId: site.id, conversationId: id, version, change });
}

/** Erases removed conversations once they cannot be restored any more. Runs on a schedule. */
export async function eraseRemoved(ctx: Context): Promise<void> {
  const due = and(isNotNull(c.removedAt), lt(c.removedAt, new Date(ctx.now() - restorableFor)));
  while ((await eraseConversations(ctx, due)) === batch);
}

/** Truncates addresses of visitors, and erases what the site's retention no longer allows. Runs on a schedule. */
export async function retain(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  while ((await truncateAddresses(ctx, db)) === batch);
  const now = new Date(ctx.now()).toISOString();
  // Sites without settings have the usual retention. A subquery, so that the condition is checked again once the row is locked.
  const oldest = (siteId: PgColumn): SQL => sql`${now}::timestamptz - make_interval(days => coalesce(
    (select (${supportSettings.settings}->>'retentionDays')::int from ${supportSettings} where ${supportSettings.siteId} = ${siteId}), ${supportLimits.retentionDays.usual}::int))`;
  while ((await eraseConversations(ctx, sql`${c.lastMessageAt} < ${oldest(c.siteId)}`)) === batch);
  const forgotten = sql`${v.lastSeenAt} < ${oldest(v.siteId)} and not exists (select from ${c} where ${c.visitorId} = ${v.id})`;
  for (let erased = batch; erased === batch;) {
    const rows = await db.select({ id: v.id }).from(v).where(forgotten).limit(batch);
    // Checked again: a visitor who came back meanwhile stays.
    const found = rows.map(({ id }) => id);
    if (found.length > 0) await db.delete(v).where(and(inArray(v.id, found), forgotten));
    erased = rows.length;
  }
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
