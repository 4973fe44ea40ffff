import { and, asc, desc, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { auditLog } from '../audit/schema';
import { invites } from '../people/schema';
import { knownDevices, passkeys, recoveryCodes, sessions, totps } from '../session/schema';
import { siteGrants, sitePins, sites } from '../sites/schema';
import { apiTokens } from '../tokens/schema';
import { tradeInvoices, tradeOrders, tradeTitles } from '../trades/schema';
import { avatars, heldNames } from './schema';

type Db = Pick<NodePgDatabase, 'select' | '$count'>;

/**
 * What they did themselves and, as their sign-in history shows it, who tried to sign in as them; latest first. What others write down
 * about a person stays in the log.
 */
export const ownActs = (db: Db, userId: string, most: number) =>
  db
    .select({
      at: auditLog.at,
      action: auditLog.action,
      result: auditLog.result,
      targetKind: auditLog.targetKind,
      targetName: auditLog.targetName,
      siteId: auditLog.siteId,
      address: auditLog.address,
      userAgent: auditLog.userAgent,
      before: auditLog.before,
      after: auditLog.after,
    })
    .from(auditLog)
    .where(
      or(
        eq(auditLog.actorId, userId),
        and(isNull(auditLog.actorId), eq(auditLog.targetKind, 'person'), eq(auditLog.targetId, userId), inArray(auditLog.action, ['sign.in', 'sign.second'])),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(most);

export const openSessions = (db: Db, userId: string, now: Date) =>
  db
    .select({
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
      remember: sessions.remember,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.idleUntil, now), gt(sessions.absoluteUntil, now)))
    .orderBy(desc(sessions.lastSeenAt));

export const knownBrowsers = (db: Db, userId: string) =>
  db
    .select({ createdAt: knownDevices.createdAt, lastSeenAt: knownDevices.lastSeenAt })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(desc(knownDevices.lastSeenAt));

export const ownTokens = (db: Db, userId: string) =>
  db
    .select({
      name: apiTokens.name,
      ending: apiTokens.ending,
      scopes: apiTokens.scopes,
      siteIds: apiTokens.siteIds,
      addresses: apiTokens.addresses,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      lastAddress: apiTokens.lastAddress,
    })
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(asc(apiTokens.createdAt));

export async function ownFactors(db: Db, userId: string) {
  const [totp] = await db.select({ since: totps.confirmedAt }).from(totps).where(eq(totps.userId, userId));
  return {
    authenticatorSince: totp?.since ?? null,
    passkeys: await db
      .select({ name: passkeys.name, synced: passkeys.synced, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt)),
    recoveryCodesLeft: await db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  };
}

export const ownGrants = (db: Db, userId: string) =>
  db
    .select({ siteId: sites.id, site: sites.name, role: siteGrants.role, since: siteGrants.createdAt })
    .from(siteGrants)
    .innerJoin(sites, eq(sites.id, siteGrants.siteId))
    .where(eq(siteGrants.userId, userId))
    .orderBy(asc(siteGrants.createdAt));

export const ownPins = async (db: Db, userId: string): Promise<string[]> =>
  (await db.select({ siteId: sitePins.siteId }).from(sitePins).where(eq(sitePins.userId, userId)).orderBy(asc(sitePins.createdAt))).map((row) => row.siteId);

export const ownHeldNames = (db: Db, userId: string, now: Date) =>
  db
    .select({ loginName: heldNames.loginName, until: heldNames.until })
    .from(heldNames)
    .where(and(eq(heldNames.userId, userId), gt(heldNames.until, now)));

export const ownInvites = (db: Db, userId: string) =>
  db
    .select({ email: invites.email, role: invites.role, message: invites.message, createdAt: invites.createdAt, expiresAt: invites.expiresAt })
    .from(invites)
    .where(eq(invites.createdBy, userId))
    .orderBy(asc(invites.createdAt));

export const ownPicture = async (db: Db, userId: string): Promise<Buffer | null> =>
  (await db.select({ png: avatars.png }).from(avatars).where(eq(avatars.userId, userId)))[0]?.png ?? null;

/** Numbers and sums in minor units; the ledger itself shows the rest. Drafts are the operator's own notes. */
export const ownOrders = (db: Db, userId: string) =>
  db
    .select({
      number: tradeOrders.number,
      title: tradeOrders.title,
      currency: tradeOrders.currency,
      total: tradeOrders.total,
      state: tradeOrders.state,
      createdAt: tradeOrders.createdAt,
    })
    .from(tradeOrders)
    .where(and(eq(tradeOrders.customerId, userId), ne(tradeOrders.state, 'draft')))
    .orderBy(asc(tradeOrders.createdAt));

export const ownInvoices = (db: Db, userId: string) =>
  db
    .select({
      number: tradeInvoices.number,
      title: tradeInvoices.title,
      taxNumber: tradeInvoices.taxNumber,
      currency: tradeInvoices.currency,
      amount: tradeInvoices.amount,
      state: tradeInvoices.state,
      issuedAt: tradeInvoices.issuedAt,
    })
    .from(tradeInvoices)
    .where(eq(tradeInvoices.customerId, userId));

export const ownTitles = (db: Db, userId: string) =>
  db
    .select({
      titleType: tradeTitles.titleType,
      title: tradeTitles.title,
      taxNumber: tradeTitles.taxNumber,
      address: tradeTitles.address,
      phone: tradeTitles.phone,
      bank: tradeTitles.bank,
      account: tradeTitles.account,
      email: tradeTitles.email,
    })
    .from(tradeTitles)
    .where(eq(tradeTitles.userId, userId))
    .orderBy(asc(tradeTitles.createdAt));
