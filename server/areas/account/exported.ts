import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import * as own from './exportQueries';
import type { UserRecord } from './queries';

/** Acts in one file at most, the latest; the file says so where there were more. */
const mostActs = 20_000;

/** Everything kept about a person, for themselves. Nothing that opens anything: no hashes, no keys, no secrets. Times are UTC. */
export async function everythingAbout(db: Pick<NodePgDatabase, 'select' | '$count'>, user: UserRecord, now: Date) {
  const found = await own.ownActs(db, user.id, mostActs + 1);
  const acts = found.slice(0, mostActs);
  const picture = await own.ownPicture(db, user.id);
  return {
    exportedAt: now,
    profile: {
      id: user.id,
      loginName: user.loginName,
      loginNameChangedAt: user.loginNameChangedAt,
      displayName: user.displayName,
      email: user.email,
      emailVerifiedAt: user.emailVerifiedAt,
      pendingEmail: user.pendingEmail,
      role: user.role,
      locale: user.locale,
      timeZone: user.timeZone,
      colorScheme: user.colorScheme,
      primary: user.primary,
      notices: user.notices,
      passwordChangedAt: user.passwordChangedAt,
      createdAt: user.createdAt,
      avatar: picture && `data:image/png;base64,${picture.toString('base64')}`,
    },
    heldLoginNames: await own.ownHeldNames(db, user.id, now),
    secondFactor: await own.ownFactors(db, user.id),
    sessions: await own.openSessions(db, user.id, now),
    knownBrowsers: await own.knownBrowsers(db, user.id),
    tokens: await own.ownTokens(db, user.id),
    grants: await own.ownGrants(db, user.id),
    pinnedSites: await own.ownPins(db, user.id),
    invitations: await own.ownInvites(db, user.id),
    orders: await own.ownOrders(db, user.id),
    invoices: await own.ownInvoices(db, user.id),
    invoiceTitles: await own.ownTitles(db, user.id),
    signIns: acts.filter(({ action }) => action.startsWith('sign.')),
    acts: acts.filter(({ action }) => !action.startsWith('sign.')),
    actsComplete: found.length <= mostActs,
  };
}
