import { deadlinesOf, dueReminder } from '../../../contract/filings/deadlines';
import type { filingEndpoints as endpoints } from '../../../contract/filings/schemas';
import type { Context } from '../../context';
import type { CallOf, ResponseOf } from '../../http/route';
import { dayAt, labelAt } from '../../zone';
import { notifyContacts } from '../contacts';
import { notifyPeople, publishNotices } from '../notices';
import { sitesOf } from '../sites';
import { deadlineNotice } from './notices';
import * as queries from './queries';
import type { CheckedSite, ListedFiling } from './queries';
import { datedFiling } from './responses';

/** Reminders of a day are sent from this hour on, in the zone of the site. */
const earliestHour = '08';

/** Deadlines of sites, with their filings by id and the present day of each site. */
async function deadlinesIn(ctx: Context, sites: readonly Pick<CheckedSite, 'id' | 'timeZone'>[]) {
  const { db } = ctx.postgres;
  const ids = sites.map(({ id }) => id);
  const [listed, checks] = await Promise.all([queries.filingsOf(db, ids), queries.checksOf(db, ids)]);
  const bySite = new Map<string, ListedFiling[]>();
  for (const one of listed) bySite.set(one.row.siteId, [...(bySite.get(one.row.siteId) ?? []), one]);
  return sites.map(({ id, timeZone }) => {
    const own = bySite.get(id) ?? [];
    const today = dayAt(ctx.now(), timeZone);
    const dated = own.map((one) => datedFiling(one, checks, timeZone));
    return { siteId: id, today, rows: new Map(own.map(({ row }) => [row.id, row])), deadlines: deadlinesOf(dated, today) };
  });
}

/** Sends the reminders of a site that are due, each step of a deadline once. */
async function remindSite(ctx: Context, site: CheckedSite): Promise<void> {
  const [found] = await deadlinesIn(ctx, [site]);
  if (!found) return;
  const { today, rows, deadlines } = found;
  for (const { filing, ...deadline } of deadlines) {
    const step = dueReminder(deadline, today);
    const row = rows.get(filing);
    if (step === null || row === undefined) continue;
    const people = await ctx.postgres.db.transaction(async (tx) => {
      if (!(await queries.takeNotice(tx, { filingId: filing, kind: deadline.kind, on: deadline.on, step, at: new Date(ctx.now()) }))) return [];
      const message = deadlineNotice(ctx, site, row, deadline);
      await notifyContacts(ctx, tx, { topic: 'filing', site: { id: site.id, name: site.name }, message });
      return notifyPeople(ctx, tx, { kind: 'filing', siteId: site.id, message });
    });
    publishNotices(ctx, people);
  }
}

/** Reminds people of deadlines, daily in the morning of each site. Runs hourly. */
export async function remindOfDeadlines(ctx: Context): Promise<void> {
  for (const site of await queries.sitesWithFilings(ctx.postgres.db)) {
    if (labelAt(ctx.now(), site.timeZone).slice(11, 13) < earliestHour) continue;
    await remindSite(ctx, site).catch((error: unknown) => ctx.log.warn('Deadlines of filings could not be read', { siteId: site.id, error }));
  }
}

/** Deadlines of all sites that the caller may read, the nearest first. */
export async function listDeadlines(
  ctx: Context,
  { session, query }: CallOf<typeof endpoints.filingDeadlines>,
): Promise<ResponseOf<typeof endpoints.filingDeadlines>> {
  const bySite = await deadlinesIn(ctx, await sitesOf(ctx, session));
  const all = bySite
    .flatMap(({ siteId, deadlines }) => deadlines.map((deadline) => ({ ...deadline, siteId })))
    .toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
  return { rows: all.slice((query.page - 1) * query.size, query.page * query.size), total: all.length };
}
