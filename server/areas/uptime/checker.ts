import { randomUUID } from 'node:crypto';
import type { Context } from '../../context';
import { DAY, MINUTE } from '../../zone';
import { incidentDays, certificateWarningDays } from '../../../contract/uptime/schemas';
import { wakeOn } from '../../stores/postgres/wakeOn';
import { notifyContacts } from '../contacts';
import type { NoticeMessage } from '../contacts';
import type { Locale } from '../../http/access';
import { notifyPeople, publishNotices } from '../notices';
import { certificateNotice, downNotice, recoveryNotice } from './notices';
import type { About } from './notices';
import { probe } from './probe';
import type { Outcome, ProbeOptions } from './probe';
import * as queries from './queries';
import type { LeasedMonitor } from './queries';
import { confirmAfter, decide, warningStep } from './state';
import { addressOf, targetOf } from './target';

/** Notified when a monitor is due at once because its settings have changed. */
export const uptimeChannel = 'uptime';

export type CheckerOptions = {
  /** In milliseconds. */
  readonly pollEvery?: number;
  readonly probe?: ProbeOptions;
};
export type Checker = { /** Stops taking monitors; running checks are released. */ readonly close: () => Promise<void> };

/** Maximum number of concurrent checks per process. */
const atOnce = 8;
/** Well above the maximum duration of a check. */
const leaseFor = MINUTE;

/**
 * Checks monitored sites until it is closed. Several processes may run it: monitors are claimed with `SKIP LOCKED` and held by lease, and the result of a check
 * is written together with its messages in one transaction, so that a crashing process leaves either both or neither.
 */
export function startChecker(ctx: Context, options: CheckerOptions = {}): Checker {
  const { pollEvery = 2000 } = options;
  const { db } = ctx.postgres;
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  let currentPass: Promise<void> = Promise.resolve();
  let queued = false;

  async function look(): Promise<void> {
    while (!stop.signal.aborted && running.size < atOnce) {
      const now = ctx.now();
      const due = await queries.takeDue(db, atOnce - running.size, randomUUID(), new Date(now), new Date(now + leaseFor));
      if (due.length === 0) return;
      for (const one of due) {
        const work = check(ctx, one, stop.signal, options.probe).finally(() => {
          running.delete(work);
          if (running.size === atOnce - 1) wake();
        });
        running.add(work);
      }
    }
  }
  function wake(): void {
    if (stop.signal.aborted || queued) return;
    queued = true;
    // One pass at a time; one more is queued behind it, because monitors may have become due in the meantime.
    currentPass = currentPass
      .then(() => {
        queued = false;
        return look();
      })
      .catch((error: unknown) => ctx.log.warn('Sites that are due for a check could not be looked up', { error }));
  }
  const stopWaking = wakeOn(ctx, uptimeChannel, pollEvery, wake);

  return {
    async close() {
      stop.abort();
      await stopWaking();
      await currentPass;
      await Promise.allSettled(running);
    },
  };
}

/** Checks one site and stores the result. Never throws: if storing fails, the monitor stays leased and is checked again later. */
async function check(ctx: Context, due: LeasedMonitor, stop: AbortSignal, options: ProbeOptions | undefined): Promise<void> {
  const { monitor, site } = due;
  try {
    const { url, servedHost } = targetOf(ctx.config, site, monitor.path);
    const outcome = await probe(ctx.config, { url, servedHost, expectedStatus: monitor.expectedStatus, keyword: monitor.keyword }, stop, options);
    await conclude(ctx, due, outcome);
  } catch (error) {
    if (stop.aborted) await queries.giveBack(ctx.postgres.db, monitor).catch(() => undefined);
    else ctx.log.error('A check of a site could not be completed; it will be repeated', { siteId: site.id, error });
  }
}

/** Stores the result of a check and notifies contacts, in one transaction. */
export async function conclude(ctx: Context, { monitor, site }: LeasedMonitor, { failure, detail, ms, certificateExpiresAt }: Outcome): Promise<void> {
  const now = new Date(ctx.now());
  const { next, change, confirm } = decide(monitor, { failure }, now);
  const about: About = { site, address: addressOf(ctx.config, site) };
  const event = { site: { id: site.id, name: site.name } };
  const people: string[] = [];
  /** Tells the people of the site behind their bell, and the contacts subscribed to its availability. */
  const notify = async (tx: queries.Db, message: (locale: Locale) => NoticeMessage): Promise<void> => {
    people.push(...(await notifyPeople(ctx, tx, { kind: 'uptime', siteId: site.id, message })));
    await notifyContacts(ctx, tx, { topic: 'uptime', ...event, message });
  };
  const written = await ctx.postgres.db.transaction(async (tx) => {
    people.length = 0;
    const ours = await queries.settle(tx, monitor, {
      ...next,
      checkedAt: now,
      responseMs: ms,
      // An unconfirmed failure does not change the reason.
      reason: confirm ? monitor.reason : failure,
      detail: confirm ? monitor.detail : detail,
      nextAt: new Date(now.getTime() + (confirm ? confirmAfter : monitor.intervalMinutes * MINUTE)),
      ...(certificateExpiresAt && { certificateExpiresAt }),
    });
    if (!ours) return false;
    if (change.kind === 'down') {
      const incident = { startedAt: change.startedAt, reason: change.reason, detail };
      await queries.openIncident(tx, { siteId: site.id, ...incident });
      await notify(tx, downNotice(ctx, about, incident));
    } else if (change.kind === 'recovered') {
      const incident = await queries.closeIncident(tx, site.id, now);
      if (incident) await notify(tx, recoveryNotice(ctx, about, { ...incident, endedAt: now }));
    }
    if (certificateExpiresAt) people.push(...(await warnOfCertificate(ctx, tx, about, certificateExpiresAt, now)));
    return true;
  });
  publishNotices(ctx, [...new Set(people)]);
  if (written && (next.state !== monitor.state || change.kind !== 'none')) ctx.live.publish({ type: 'site', siteId: site.id, change: 'changed' });
}

async function warnOfCertificate(ctx: Context, tx: queries.Db, about: About, expiresAt: Date, now: Date): Promise<string[]> {
  const step = warningStep(expiresAt, now);
  if (step === null) return [];
  const { site } = about;
  const fresh = await queries.takeWarning(tx, { siteId: site.id, expiresAt, days: step, at: now });
  if (!fresh) return [];
  // A missed step is not sent together with the next one.
  for (const days of certificateWarningDays.filter((one) => one > step)) await queries.takeWarning(tx, { siteId: site.id, expiresAt, days, at: now });
  const notice = { site: { id: site.id, name: site.name }, message: certificateNotice(ctx, about, { days: step, expiresAt }) };
  await notifyContacts(ctx, tx, { topic: 'uptime', ...notice });
  await notifyContacts(ctx, tx, { topic: 'certificate', exceptSubscribersOf: 'uptime', ...notice });
  return notifyPeople(ctx, tx, { kind: 'uptime', siteId: site.id, message: notice.message });
}

/** Deletes old incidents, and resets the results of sites that are no longer checked. Runs on a schedule. */
export async function sweepUptime(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const now = new Date(ctx.now());
  await queries.forget(db, new Date(now.getTime() - incidentDays * DAY));
  await db.transaction((tx) => queries.resetInactive(tx, now));
}
