import type { Context } from '../../context';
import { DAY, HOUR, instantOf } from '../../zone';
import { notifyContacts } from '../contacts';
import { notifyPeople, publishNotices } from '../notices';
import { firing } from './alerts';
import { alertNotice, digestNotice, duePeriod, todayOf } from './notices';
import type { DigestKind } from './notices';
import * as queries from './queries';
import type { DigestSite, SettingsRecord } from './queries';

/** A digest that could not be sent in time (the program was off) is sent up to this late, then skipped. */
const lateBy = 3 * DAY;

const notice = (site: DigestSite) => ({ site: { id: site.id, name: site.name } });

/**
 * Sends the last whole week or month to subscribers of reports. `byHand`: requested by a person; otherwise the row that prevents a second sending is written in
 * the same transaction. Returns the number of messages; null if it had already been sent.
 */
export async function sendDigest(ctx: Context, site: DigestSite, kind: DigestKind, byHand: boolean): Promise<number | null> {
  const { period } = duePeriod(kind, todayOf(ctx, site));
  const letter = await digestNotice(ctx, site, kind, period);
  return ctx.postgres.db.transaction(async (tx) => {
    const row = await queries.insertSent(tx, { siteId: site.id, kind, period: `${period.from}_${period.to}`, at: new Date(ctx.now()), sent: 0, byHand });
    if (!row) return null;
    const sent = await notifyContacts(ctx, tx, { topic: 'report', ...notice(site), message: letter });
    await queries.setSent(tx, row.id, sent);
    return sent;
  });
}

async function sendDue(ctx: Context, site: DigestSite, kind: DigestKind, since: Date | null, hour: number): Promise<void> {
  if (since === null) return;
  const now = ctx.now();
  const { day, period } = duePeriod(kind, todayOf(ctx, site));
  const due = instantOf(day, hour * HOUR, site.timeZone);
  if (now < due || now >= due + lateBy || since.getTime() > due) return;
  if (await queries.wasSent(ctx.postgres.db, site.id, kind, `${period.from}_${period.to}`)) return;
  await sendDigest(ctx, site, kind, false);
}

async function sendAlerts(ctx: Context, site: DigestSite, { rules }: SettingsRecord): Promise<void> {
  if (rules.length === 0) return;
  for (const fired of await firing(ctx, site, rules)) {
    const { rule, label, value, usual } = fired;
    const period = `${rule.measure}.${rule.direction}.${rule.window} ${label}`;
    const people = await ctx.postgres.db.transaction(async (tx) => {
      const row = await queries.insertSent(tx, { siteId: site.id, kind: 'alert', period, at: new Date(ctx.now()), sent: 0, rule, value, usual });
      if (!row) return [];
      const message = alertNotice(ctx, site, fired);
      const notified = await notifyPeople(ctx, tx, { kind: 'alert', siteId: site.id, message });
      const sent = await notifyContacts(ctx, tx, { topic: 'traffic', ...notice(site), message });
      await queries.setSent(tx, row.id, notified.length + sent);
      return notified;
    });
    publishNotices(ctx, people);
  }
}

/** A schedule: sends the digests that are due and evaluates every site's rules. A failure of one site does not affect the others. */
export async function sendDigests(ctx: Context): Promise<void> {
  for (const { settings, site } of await queries.allSettings(ctx.postgres.db)) {
    try {
      await sendDue(ctx, site, 'weekly', settings.weeklySince, settings.hour);
      await sendDue(ctx, site, 'monthly', settings.monthlySince, settings.hour);
      await sendAlerts(ctx, site, settings);
    } catch (error) {
      ctx.log.warn('the reports and alerts of a site could not be made; they are tried again', { siteId: site.id, error });
    }
  }
}
