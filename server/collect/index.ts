import os from 'node:os';
import path from 'node:path';
import { openSiteIndex } from '../areas/sites';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';
import { brokenStore } from '../stores/broken';
import type { AcceptResponse } from './accept';
import { startBuilding } from './building';
import { keepCounts } from './counts';
import { startDrain } from './drain';
import type { CollectRequest } from './hits';
import { openIdentity } from './identity';
import { createIntake } from './intake';
import { openJournal } from './journal';
import type { Journal, JournalOptions } from './journal';
import type { RebuiltSite } from './rebuild';
import { markChannel } from './marks';
import { countRefusals } from './refusals';
import type { Refusal } from './refusals';
import { hitColumns } from './row';
import type { ServerHitsResult } from './serverHits';
import { countScriptLoads } from './script';
import { defaultVisitRules, visitRulesOf } from './visitRules';
import type { VisitRules } from './visitRules';
import { startVitals } from './vitals';
import type { VitalsIntake } from './vitals';

export { sendSlow, registerCollect } from './http';
export { openScript } from './script';
export type { AcceptResponse } from './accept';
export type { CollectRequest } from './hits';

export type CollectorStats = {
  /** Hits acknowledged, and hits or whole requests refused, since the start. */
  readonly accepted: number;
  readonly refused: number;
  /** Hits whose visits are built or handed over. */
  readonly drained: number;
  readonly journalBytes: number;
  /** Since when a store has not answered (epoch ms); null while all is well. */
  readonly stuckSince: number | null;
  /** Shards whose visits this process builds. */
  readonly shards: number;
};

export type Collector = {
  /** Takes one request; resolves when its hits are durable. Rejects when the disk refuses. */
  readonly accept: (request: CollectRequest) => Promise<AcceptResponse>;
  /** Takes one request of the vitals script. */
  readonly acceptVitals: VitalsIntake['accept'];
  /** The share of page loads from which a site collects web vitals. */
  readonly vitalsRate: VitalsIntake['rateOf'];
  /** Takes hits that somebody's server tells; resolves when they are durable. Throws `JournalFull`; null for a site that takes none. */
  readonly acceptFromServer: (siteId: string, hits: readonly unknown[]) => Promise<ServerHitsResult | null>;
  /** Resolves when everything accepted before the call is in `visits` and `web_vitals`. */
  readonly flush: () => Promise<void>;
  /** Makes all visits of a site again from its hits. */
  readonly rebuildVisits: (siteId: string) => Promise<RebuiltSite>;
  /** What was refused for a site since the start, newest first. */
  readonly refusals: (siteId: string) => Refusal[];
  readonly countRefusal: (siteId: string, code: Refusal['code'], host: string) => void;
  /** How often the tracker was fetched for a site since the start. */
  readonly scriptLoads: (siteId: string) => number;
  /** Counts a fetch of the tracker: for the site named, or for the one whose host the referrer names. */
  readonly countScriptLoad: (siteId: string | undefined, referrer: string | undefined) => void;
  readonly stats: () => CollectorStats;
  /** Ends in order: what is in the journal stays there for the next start. */
  readonly close: () => Promise<void>;
};

export type CollectorOptions = {
  /** Name of this process's journal; processes that share a data folder need different ones. */
  readonly process?: string;
  /** How long hits gather before they are stored (ms). */
  readonly gatherMs?: number;
};

/** How far the drains are in time: everything received up to `drainedTo` is stored, and its visits are built or handed over. */
function followDrain(drained: () => Promise<unknown>, now: () => number) {
  let drainedTo = 0;
  let following = false;
  let closed = false;
  const isWaiting = (): boolean => following;
  async function look(): Promise<void> {
    if (following || closed) return;
    const at = now();
    following = true;
    // Rejects when the drain is closed: then nobody asks any more.
    await drained().then(
      () => (drainedTo = at),
      () => (closed = true),
    );
    following = false;
  }
  const timer = setInterval(() => void look(), 250);
  timer.unref();
  void look();
  return { now: () => ({ drainedTo, waiting: isWaiting() }), close: () => clearInterval(timer) };
}

/** Starts the way of a hit: accepted into the journal, drained into `hits`, built into `visits`. */
export async function startCollector(ctx: Context, options: CollectorOptions = {}): Promise<Collector> {
  const log = ctx.log.child({ part: 'collector' });
  const folder = path.join(ctx.config.dataDir, 'journal', options.process ?? 'main');
  let drained = 0;

  let wake = (): void => undefined;
  let visitsWritten = (): void => undefined;
  const journal = await openOwnJournal({ folder, maxBytes: ctx.config.journalMaxBytes, columns: hitColumns, log, onDurable: () => wake() });
  const sites = await openSiteIndex(ctx);
  const identity = await openIdentity(ctx);
  const rulesOfSite = (site: IndexedSite | null): VisitRules => (site === null ? defaultVisitRules : visitRulesOf(site.measuring.visits));
  const building = await startBuilding(
    { ...ctx, log },
    {
      rulesOf: (siteId) => rulesOfSite(sites.get(siteId)),
      latestRulesOf: async (siteId) => rulesOfSite(await sites.refresh(siteId)),
      onSettled: () => visitsWritten(),
    },
  );
  const waitsForClickHouse = ctx.config.ack === 'clickhouse';
  const drain = startDrain({
    journal,
    folder,
    log,
    clickhouse: ctx.clickhouse,
    building,
    // Somebody waits for the insert: gather only what arrives together.
    gatherMs: options.gatherMs ?? (waitsForClickHouse ? 5 : 150),
    onDrained: (hits) => void (drained += hits),
    onAside: (hits) => hits.forEach((hit) => countStore.add(hit.site_id, 'aside', 1, hit.received_at)),
  });
  ({ wake, visitsWritten } = drain);
  const vitals = await startVitals(ctx, sites, options.process ?? 'main');
  const mark = followDrain(() => Promise.all([drain.drained(journal.end()), vitals.flush()]), ctx.now);
  const countStore = keepCounts(ctx, sites, `${os.hostname()} ${folder}`, () => ({
    journalBytes: journal.bytes(),
    stuckSince: drain.stuckSince(),
    ...mark.now(),
  }));
  const stopMark = await ctx.postgres.listen(markChannel, () => void countStore.flush(true).catch(() => undefined));
  const refusals = countRefusals(countStore);

  const intake = createIntake(ctx, { identity, sites, journal, refusals, counts: countStore, stored: waitsForClickHouse ? drain.inserted : null });
  const loads = countScriptLoads(sites);

  return {
    accept: intake.accept,
    acceptFromServer: intake.acceptFromServer,
    acceptVitals: vitals.accept,
    vitalsRate: vitals.rateOf,
    async flush() {
      const end = journal.end();
      await drain.added(end);
      await building.flush();
      await drain.drained(end);
      await building.caughtUp();
      await countStore.flush(true);
      await vitals.flush();
    },
    rebuildVisits: building.rebuild,
    refusals: refusals.of,
    countRefusal: (siteId, code, host) => refusals.add(siteId, code, host, ctx.now()),
    scriptLoads: loads.of,
    countScriptLoad: loads.add,
    stats: () => ({
      accepted: intake.accepted(),
      drained,
      refused: refusals.total(),
      journalBytes: journal.bytes(),
      stuckSince: drain.stuckSince(),
      shards: building.shards(),
    }),
    async close() {
      await stopMark();
      mark.close();
      await vitals.close();
      await countStore.close();
      await drain.close(building.close);
      await journal.close();
      identity.close();
      sites.close();
    },
  };
}

/** Throws `StartFailure` naming the folder: what can be repaired has been, so a person has to decide. */
async function openOwnJournal(options: JournalOptions): Promise<Journal> {
  try {
    return await openJournal(options);
  } catch (error) {
    options.log.debug('the journal does not open', { error });
    throw brokenStore('journal', options.folder, [error instanceof Error ? error.message : String(error)]);
  }
}
