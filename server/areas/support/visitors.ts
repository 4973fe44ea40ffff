import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { placeOf } from '../../collect/classify';
import type { Context } from '../../context';
import { hashToken } from '../../kit/tokens';
import type { Db, VisitorRow } from './queries';
import { supportBlocks, supportVisitors } from './schema';
import type { VisitorPage, VisitorSource } from './schema';

const v = supportVisitors;

export type NewVisitor = {
  readonly siteId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly language: string;
  /** The visitor's id in analytics, if the visitor agreed to be measured. */
  readonly analyticsId: string | null;
  readonly source: VisitorSource;
  readonly page: VisitorPage;
};
/** What visitors tell about themselves. */
export type VisitorAnswers = Partial<Pick<VisitorRow, 'name' | 'email' | 'phone' | 'wechat' | 'company' | 'custom' | 'language' | 'analyticsId'>>;

/** The visitor of a token on a site; null: unknown, or of another site. */
export const findVisitor = async (ctx: Pick<Context, 'postgres'>, siteId: string, token: string): Promise<VisitorRow | null> =>
  (
    await ctx.postgres.db
      .select()
      .from(v)
      .where(and(eq(v.tokenHash, hashToken(token)), eq(v.siteId, siteId)))
  )[0] ?? null;

export const findVisitorById = async (db: Db, siteId: string, id: string): Promise<VisitorRow | null> =>
  (
    await db
      .select()
      .from(v)
      .where(and(eq(v.siteId, siteId), eq(v.id, id)))
  )[0] ?? null;

/** Stores what the visitor tells. Answers to further questions are added to earlier ones. */
export async function updateVisitor(ctx: Pick<Context, 'postgres' | 'live'>, visitor: VisitorRow, answers: VisitorAnswers): Promise<VisitorRow> {
  const answered = Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined && value !== '')) as VisitorAnswers;
  if (Object.keys(answered).length === 0) return visitor;
  const { custom, ...others } = answered;
  const [row] = await ctx.postgres.db
    .update(v)
    .set({ ...others, ...(custom && { custom: { ...visitor.custom, ...custom } }) })
    .where(eq(v.id, visitor.id))
    .returning();
  ctx.live.publish({ type: 'supportVisitor', siteId: visitor.siteId, visitorId: visitor.id });
  return row ?? visitor;
}

/** Seconds after which a visitor who is not heard of counts as gone. Streams report at least this often. */
export const visitorGoneAfter = 45;
export const isVisitorOnline = ({ lastSeenAt }: Pick<VisitorRow, 'lastSeenAt'>, now: number): boolean => now - lastSeenAt.getTime() < visitorGoneAfter * 1000;

/** The visitor is there, on a page if one is given. Called on each request and, for open streams, every 20 to 30 seconds. */
export async function seeVisitor(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  visitor: VisitorRow,
  presence: { readonly page?: VisitorPage | null; readonly address?: string; readonly userAgent?: string } = {},
): Promise<void> {
  const now = ctx.now();
  const { page, address, userAgent } = presence;
  const isOtherPage = page !== undefined && page !== null && page.url !== visitor.page?.url;
  const moved = address !== undefined && address !== visitor.address;
  const place = moved ? placeOf(address) : null;
  await ctx.postgres.db
    .update(v)
    .set({
      lastSeenAt: new Date(now),
      ...(isOtherPage && { page, pageAt: new Date(now) }),
      ...(moved && place && { address, addressTruncated: false, country: place.country, region: place.province, city: place.city }),
      ...(userAgent !== undefined && { userAgent }),
    })
    .where(eq(v.id, visitor.id));
  if (isOtherPage || !isVisitorOnline(visitor, now)) ctx.live.publish({ type: 'supportVisitor', siteId: visitor.siteId, visitorId: visitor.id });
}

/** Whether a visitor, a network or an e-mail address is blocked on the site. What a response reveals must not depend on it. */
export async function isBlocked(
  ctx: Pick<Context, 'postgres' | 'now'>,
  siteId: string,
  { visitorId, email, address }: { readonly visitorId: string | null; readonly email: string; readonly address: string },
): Promise<boolean> {
  const b = supportBlocks;
  const exactly = (kind: 'visitor' | 'email', value: string | null) =>
    value === null || value === '' ? undefined : and(eq(b.kind, kind), eq(b.value, value.toLowerCase()));
  const network = address === '' ? undefined : and(eq(b.kind, 'network'), sql`case when ${b.kind} = 'network' then ${b.value}::inet >>= ${address}::inet end`);
  const found = await ctx.postgres.db
    .select({ id: b.id })
    .from(b)
    .where(
      and(eq(b.siteId, siteId), or(isNull(b.until), gt(b.until, new Date(ctx.now()))), or(exactly('visitor', visitorId), exactly('email', email), network)),
    )
    .limit(1);
  return found.length > 0 && (visitorId !== null || email !== '' || address !== '');
}
