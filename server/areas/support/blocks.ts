import { and, desc, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import type { SupportBlock, SupportBlockInput } from '../../../contract/support/settings';
import { supportLimits } from '../../../contract/support/terms';
import { isUuid } from '../../../contract/uuid';
import type { Context } from '../../context';
import { isAddressRange, unwrapAddress } from '../../http/address';
import { fail, failField } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { defineRemoval } from '../../kit/removals';
import { users } from '../account/schema';
import { actorOf, record } from '../audit';
import type { Db } from './queries';
import { supportBlocks, supportVisitors } from './schema';
import { findVisitorById } from './visitors';

const b = supportBlocks;
type Row = typeof b.$inferSelect;
const removal = defineRemoval('support_block', b);

/** The shortest prefixes: a block of more than this would close the site to whole countries by a slip. */
const widest = { ipv4: 8, ipv6: 19 };

/** A network as PostgreSQL's `inet` reads it, with the bits of its hosts; null: none, or too wide. */
function networkOf(text: string): string | null {
  if (!isAddressRange(text)) return null;
  const [head = '', bits] = text.split('/');
  const address = unwrapAddress(head);
  const isFour = !address.includes(':');
  const prefix = bits === undefined ? (isFour ? 32 : 128) : Number(bits) - (address === head || !isFour ? 0 : 96);
  return prefix < (isFour ? widest.ipv4 : widest.ipv6) ? null : `${address.toLowerCase()}/${prefix}`;
}

async function valueOf(db: Db, siteId: string, { kind, value }: SupportBlockInput): Promise<string> {
  if (kind === 'network') return networkOf(value) ?? failField('value', 'not_an_address_range');
  if (kind === 'email') return z.email().safeParse(value).success ? value.toLowerCase() : failField('value', 'not_an_email');
  return isUuid(value) && (await findVisitorById(db, siteId, value.toLowerCase())) ? value.toLowerCase() : failField('value', 'unknown');
}

async function responsesOf(db: Db, rows: readonly Row[]): Promise<SupportBlock[]> {
  const ids = (kind: Row['kind']) => rows.filter((row) => row.kind === kind).map(({ value }) => value);
  const [visitorIds, people] = [ids('visitor'), rows.flatMap(({ createdBy }) => createdBy ?? [])];
  const [visitors, authors] = await Promise.all([
    visitorIds.length === 0
      ? []
      : db.select({ id: supportVisitors.id, name: supportVisitors.name }).from(supportVisitors).where(inArray(supportVisitors.id, visitorIds)),
    people.length === 0 ? [] : db.select({ id: users.id, name: users.displayName }).from(users).where(inArray(users.id, people)),
  ]);
  const names = new Map([...visitors, ...authors].map(({ id, name }) => [id, name]));
  return rows.map(({ id, kind, value, reason, until, createdAt, createdBy }) => ({
    id,
    kind,
    value,
    reason,
    until: until?.toISOString() ?? null,
    name: kind === 'visitor' ? (names.get(value) ?? '') : '',
    createdAt: createdAt.toISOString(),
    by: createdBy === null ? '' : (names.get(createdBy) ?? ''),
  }));
}
const one = async (db: Db, row: Row): Promise<SupportBlock> => (await responsesOf(db, [row]))[0] ?? fail('not_found');
const about = ({ siteId, id, value }: Row) => ({ siteId, target: { kind: 'supportBlock', id, name: value } });
const announce = (ctx: Pick<Context, 'live'>, siteId: string): void => ctx.live.publish({ type: 'supportSettings', siteId });

export async function listBlocks(ctx: Context, siteId: string): Promise<SupportBlock[]> {
  const { db } = ctx.postgres;
  return responsesOf(db, await db.select().from(b).where(eq(b.siteId, siteId)).orderBy(desc(b.createdAt), b.id));
}

/** Blocking again what is blocked replaces reason and time. */
export async function addBlock(ctx: Context, call: CallOf<typeof endpoints.addSupportBlock>): Promise<SupportBlock> {
  const { site, session, body } = call;
  const { db } = ctx.postgres;
  const value = await valueOf(db, site.id, body);
  const until = body.until === null ? null : new Date(body.until);
  if (until !== null && until.getTime() <= ctx.now()) failField('until', 'too_soon');
  if ((await db.$count(b, eq(b.siteId, site.id))) >= supportLimits.blocks) fail('conflict');
  const added = await db.transaction(async (tx) => {
    const values = { reason: body.reason, until, createdAt: new Date(ctx.now()), createdBy: session.userId };
    const [row] = await tx
      .insert(b)
      .values({ ...values, siteId: site.id, kind: body.kind, value })
      .onConflictDoUpdate({ target: [b.siteId, b.kind, b.value], set: values })
      .returning();
    if (!row) throw new Error('PostgreSQL returned no row');
    await record(ctx, tx, actorOf(call), { action: 'support.block_added', ...about(row) });
    return row;
  });
  announce(ctx, site.id);
  return one(db, added);
}

/** Locked, so that a block is removed once. */
const find = async (tx: Db, siteId: string, id: string): Promise<Row> =>
  (
    await tx
      .select()
      .from(b)
      .where(and(eq(b.siteId, siteId), eq(b.id, id)))
      .for('update')
  )[0] ?? fail('not_found');

export async function removeBlock(ctx: Context, call: CallOf<typeof endpoints.removeSupportBlock>): Promise<void> {
  const { site, session, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const row = await find(tx, site.id, params.id);
    await removal.store(ctx, tx, { siteId: site.id, id: row.id, by: session.userId });
    await tx.delete(b).where(eq(b.id, row.id));
    await record(ctx, tx, actorOf(call), { action: 'support.block_removed', ...about(row) });
  });
  announce(ctx, site.id);
}

export async function restoreBlock(ctx: Context, call: CallOf<typeof endpoints.restoreSupportBlock>): Promise<SupportBlock> {
  const { site, session, params } = call;
  const row = await ctx.postgres.db.transaction(async (tx) => {
    await removal.restore(ctx, tx, { siteId: site.id, id: params.id, by: session.userId });
    const restored = await find(tx, site.id, params.id);
    await record(ctx, tx, actorOf(call), { action: 'support.block_restored', ...about(restored) });
    return restored;
  });
  announce(ctx, site.id);
  return one(ctx.postgres.db, row);
}
