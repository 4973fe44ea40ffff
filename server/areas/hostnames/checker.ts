import { randomUUID } from 'node:crypto';
import { hostnameLimits } from '../../../contract/hostnames/terms';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { wakeOn } from '../../stores/postgres/wakeOn';
import { DAY, MINUTE } from '../../zone';
import { systemActor } from '../audit';
import { notifyContacts } from '../contacts';
import type { NoticeMessage } from '../contacts';
import { notifyPeople, publishNotices } from '../notices';
import { lockSite } from '../sites';
import { diagnose, reachableAt, expectedOf } from './doctor';
import { lookUpAll, lookupWith, noRecords } from './dns';
import type { Lookup } from './dns';
import { announce, ensurePrimary, giveUpClaims, schemeLost } from './hostnames';
import { dnsNotice, expiryNotice } from './notices';
import { inspectTls, probeAnswer, probeHost, schemeReceived } from './probe';
import type { ReachOptions, TlsFinding } from './probe';
import * as queries from './queries';
import type { HostnameRow, LeasedHostname } from './queries';
import { healthOf, isServed } from './responses';
import { nextCheckIn } from './schedule';
import { targetFor } from './target';

export type CheckOptions = {
  /** Replaces the configured resolvers in tests. */
  readonly lookup?: Lookup;
  readonly reach?: Pick<ReachOptions, 'ports' | 'authorities'>;
};

type Observation = { readonly diagnosis: ReturnType<typeof diagnose>; readonly probe: Awaited<ReturnType<typeof probeHost>>; readonly tls: TlsFinding | null };

/** Looks at a hostname from outside: DNS, a request, a handshake. */
async function look(ctx: Context, { row, site }: LeasedHostname, stop: AbortSignal, options: CheckOptions): Promise<Observation> {
  const { config, secrets } = ctx;
  const lookup = options.lookup ?? lookupWith(config.dnsServers);
  const target = targetFor(config, site);
  const isConfigured = config.sitesAddresses.length > 0;
  const [answers, targetA, targetAaaa] = await Promise.all([
    lookUpAll(lookup, row),
    isConfigured ? noRecords : lookup('A', target.name),
    isConfigured ? noRecords : lookup('AAAA', target.name),
  ]);
  const expected = expectedOf(target, targetA, targetAaaa);
  const reach: ReachOptions = { allowNear: config.privateSites, addresses: reachableAt(answers, expected), ...options.reach };
  const [probe, handshake] = await Promise.all([
    probeHost({ host: row.host, token: row.token, expected: probeAnswer(secrets, row.host, row.token) }, stop, reach),
    inspectTls(row.host, stop, reach),
  ]);
  // Where this program requests certificates, a handshake without one only says that there is none yet.
  const isPending = config.tlsMode === 'acme' && handshake?.tls === 'failed' && handshake.certificate === null;
  const isLost = handshake?.tls === 'active' && (await schemeReceived(row, stop, reach)) === 'http';
  return {
    diagnosis: diagnose(row, answers, expected, probe, config.tlsMode),
    probe,
    tls: isPending ? null : handshake && isLost ? { ...handshake, tlsError: schemeLost } : handshake,
  };
}

/** A handshake that found no certificate, as the one before. */
const isTlsSame = (row: HostnameRow, { tls, tlsError, certificate }: TlsFinding): boolean =>
  tls === row.tls && tlsError === row.tlsError && certificate === null && row.certificate === null;

/** What a check changes in a row. Pure. */
function afterCheck(row: HostnameRow, { diagnosis, probe, tls }: Observation, now: Date) {
  const proven = diagnosis.txtVerified || (!row.contested && probe.state === 'ok');
  const wrongAnswers = diagnosis.wrong ? row.wrongAnswers + 1 : ['unreachable', 'servfail'].includes(diagnosis.dns) ? row.wrongAnswers : 0;
  const wrongSince = wrongAnswers === 0 ? null : (row.wrongSince ?? now);
  const lapses =
    row.ownership === 'verified' && diagnosis.wrong && wrongSince !== null && now.getTime() - wrongSince.getTime() >= hostnameLimits.lapseDays * DAY;
  const ownership = lapses ? 'lapsed' : proven ? 'verified' : row.ownership;
  const arrives = probe.state === 'ok' || diagnosis.dns === 'ok';
  const activeAt = ownership !== 'verified' ? null : (row.activeAt ?? (arrives ? now : null));
  const dns = ['unreachable', 'servfail'].includes(diagnosis.dns) && row.activeAt !== null ? row.dns : diagnosis.dns;
  const checks = row.checks + 1;
  // A lapsed hostname is looked at as rarely as a working one, so that it works again when its DNS does.
  const delay = nextCheckIn({ active: activeAt !== null || ownership === 'lapsed', checks, wrongAnswers });
  return {
    // A certificate that somebody uploaded meanwhile stays.
    ...(tls !== null && !isTlsSame(row, tls) && tls),
    dns,
    ownership,
    activeAt,
    wrongAnswers,
    wrongSince,
    checks,
    probe,
    records: diagnosis.records,
    checkedAt: now,
    nextAt: delay === null ? null : new Date(now.getTime() + delay),
  };
}

type Notify = (message: (locale: Locale) => NoticeMessage, topic: 'uptime' | 'certificate') => Promise<void>;

async function warnOfExpiry(ctx: Context, tx: queries.Db, { row, site }: LeasedHostname, now: Date, notify: Notify): Promise<void> {
  if (row.certificate === null || !isServed(row)) return;
  const expiresAt = new Date(row.certificate.notAfter);
  const left = (expiresAt.getTime() - now.getTime()) / DAY;
  const step = hostnameLimits.expiryDays.findLast((days) => left <= days);
  if (step === undefined || left <= 0) return;
  if (!(await queries.takeWarning(tx, { hostnameId: row.id, expiresAt, days: step, at: now }))) return;
  // A missed step is not sent after a later one.
  for (const days of hostnameLimits.expiryDays.filter((one) => one > step)) await queries.takeWarning(tx, { hostnameId: row.id, expiresAt, days, at: now });
  await notify(expiryNotice(ctx, { site, row }, { days: step, expiresAt }), 'certificate');
}

/** Another site may have verified a hostname of the same domain since this one was added. A verified hostname stays as it is. */
async function isNowContested(tx: queries.Db, { siteId, host, apex, contested, ownership }: HostnameRow, now: Date): Promise<boolean> {
  return contested || (ownership !== 'verified' && (await queries.isContested(tx, siteId, host, apex, now)));
}

/** Stores the result of a check with its notices, in one transaction. Null if another process has claimed the hostname, or it was removed. */
async function conclude(ctx: Context, { row, site }: LeasedHostname, observed: Observation): Promise<HostnameRow | null> {
  const now = new Date(ctx.now());
  const people: string[] = [];
  const otherSites: string[] = [];
  const stored = await ctx.postgres.db.transaction(async (tx) => {
    people.length = 0;
    otherSites.length = 0;
    const contested = await isNowContested(tx, row, now);
    const found = { contested, ...afterCheck({ ...row, contested }, observed, now) };
    // First, as everywhere: what makes a hostname primary, or no longer, waits for the site.
    const lapses = row.ownership === 'verified' && found.ownership === 'lapsed';
    if (lapses || isServed(found) !== isServed(row)) await lockSite(tx, site.id);
    const written = await queries.settle(tx, row, found);
    if (written === null) return null;
    const notify: Notify = async (message, topic) => {
      people.push(...(await notifyPeople(ctx, tx, { kind: 'uptime', siteId: site.id, message })));
      await notifyContacts(ctx, tx, { topic, site: { id: site.id, name: site.name }, message });
    };
    const about = { site, row: written };
    if (row.activeAt !== null && row.wrongAnswers < hostnameLimits.wrongAnswers && written.wrongAnswers === hostnameLimits.wrongAnswers)
      await notify(dnsNotice(ctx, about, 'attention'), 'uptime');
    if (lapses) await notify(dnsNotice(ctx, about, 'lapsed'), 'uptime');
    if (written.ownership === 'verified' && row.ownership !== 'verified') otherSites.push(...(await giveUpClaims(ctx, tx, written)));
    if (lapses && written.role === 'primary') await queries.demotePrimary(tx, site.id);
    if (isServed(written) !== isServed(row)) await ensurePrimary(ctx, tx, site, systemActor);
    await warnOfExpiry(ctx, tx, { row: written, site }, now, notify);
    return written;
  });
  publishNotices(ctx, [...new Set(people)]);
  for (const siteId of otherSites) announce(ctx, siteId);
  if (stored && differs(row, stored)) announce(ctx, site.id);
  return stored;
}

const visible = (row: HostnameRow): string =>
  JSON.stringify([healthOf(row), row.ownership, row.dns, row.tls, row.tlsError, row.records, row.probe, row.certificate, isServed(row)]);
const differs = (before: HostnameRow, after: HostnameRow): boolean => visible(before) !== visible(after);

/** Checks a hostname that the caller holds, and stores what it saw. */
export async function checkNow(ctx: Context, due: LeasedHostname, stop: AbortSignal, options: CheckOptions = {}): Promise<HostnameRow | null> {
  return conclude(ctx, due, await look(ctx, due, stop, options));
}

/** Maximum number of concurrent checks per process. */
const atOnce = 8;
/** Well above the maximum duration of a check. */
const leaseFor = MINUTE;

/** Checks hostnames that are due, until it is closed. Several processes may run it: rows are claimed with `SKIP LOCKED` and held by lease. */
export function startHostnameChecker(ctx: Context, options: CheckOptions & { readonly pollEvery?: number } = {}): { readonly close: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  let pass: Promise<void> = Promise.resolve();
  let queued = false;

  async function check(due: LeasedHostname): Promise<void> {
    try {
      await checkNow(ctx, due, stop.signal, options);
    } catch (error) {
      if (stop.signal.aborted) await queries.giveBack(ctx.postgres.db, due.row).catch(() => undefined);
      else ctx.log.error('A check of a hostname could not be completed; it will be repeated', { siteId: due.site.id, error });
    }
  }
  async function takeAll(): Promise<void> {
    while (!stop.signal.aborted && running.size < atOnce) {
      const now = ctx.now();
      const due = await queries.takeDue(ctx.postgres.db, atOnce - running.size, randomUUID(), new Date(now), new Date(now + leaseFor));
      if (due.length === 0) return;
      for (const one of due) {
        const work = check(one).finally(() => {
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
    pass = pass
      .then(() => {
        queued = false;
        return takeAll();
      })
      .catch((error: unknown) => ctx.log.warn('Hostnames that are due for a check could not be looked up', { error }));
  }
  const stopWaking = wakeOn(ctx, queries.checkerChannel, options.pollEvery ?? 2000, wake);
  return {
    async close() {
      stop.abort();
      await stopWaking();
      await pass;
      await Promise.allSettled(running);
    },
  };
}
