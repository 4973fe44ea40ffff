import { createState, hostOf, writeUrl } from './crawlState';
import type { CrawlState, PageAudit } from './crawlState';
import type { CrawlHost } from './batchWriter';
import { storable } from './batch';
import { emptyCounters } from '../counters';
import { createGovernor } from './governor';
import type { Outcome } from './governor';
import type { Batch, CrawlStart, LentBatch, PageReport, ReadResult } from './protocol';
import { isTemporary, requestPage } from './requests';
import { readPage, visit } from './visit';

/** A batch is returned after so many milliseconds or bytes, with what was read of it. */
const longest = 4000;
const mostBytes = 24 * 2 ** 20;

type Entry = LentBatch['entries'][number];
export type Read = { readonly batch: Batch; readonly result: string };

/** Reads one batch, as fast as its part of the limits of the host allows. */
class Reading {
  private readonly waiting: Entry[];
  private readonly until: number;
  private readonly pages: PageReport[] = [];
  private readonly retries: number[] = [];
  private readonly outcomes: Outcome[] = [];
  private active = 0;
  private timer: NodeJS.Timeout | null = null;
  private resolve: ((result: ReadResult) => void) | null = null;

  private readonly state: CrawlState;
  private readonly host: Pick<CrawlHost, 'body' | 'now'>;
  constructor(state: CrawlState, host: Pick<CrawlHost, 'body' | 'now'>, batch: LentBatch) {
    this.state = state;
    this.host = host;
    this.waiting = [...batch.entries];
    this.until = host.now() + longest;
  }

  run(): Promise<ReadResult> {
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.pump();
    });
  }
  /** Starts nothing new; what is being requested is still recorded. */
  end(): void {
    this.waiting.length = 0;
    this.pump();
  }

  private pump(): void {
    if (this.resolve === null) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { state } = this;
    const now = this.host.now();
    if (now >= this.until || state.batch.bytes() >= mostBytes) this.waiting.length = 0;
    for (
      let [next] = this.waiting;
      next !== undefined && state.spacing.readyAt() <= now && state.governor.isReady(hostOf(next.url), now);
      [next] = this.waiting
    ) {
      this.waiting.shift();
      state.spacing.started(now);
      // A request never rejects; what does is an error of the program.
      this.read(next).then(
        () => this.pump(),
        (error: unknown) => {
          throw error;
        },
      );
    }
    const [next] = this.waiting;
    if (next !== undefined) {
      const at = Math.max(state.spacing.readyAt(), state.governor.readyAt(hostOf(next.url)));
      this.timer = setTimeout(() => this.pump(), Math.max(1, Math.min(at, now + 1000) - now));
    } else if (this.active === 0) this.conclude();
  }

  private async read(entry: Entry): Promise<void> {
    const { state } = this;
    state.governor.start(hostOf(entry.url), this.host.now());
    this.active += 1;
    const { response, reused, outcome } = await requestPage(state, entry, entry.base ?? undefined, this.host.body);
    this.active -= 1;
    this.outcomes.push(outcome);
    // The worker that leads the run decides how it goes on.
    if (outcome.kind === 'slow_down') this.waiting.length = 0;
    if (isTemporary(entry, response)) return void this.retries.push(entry.id);
    const report: PageReport = { id: entry.id, url: entry.url, simhash: null, found: [] };
    // The batch of the leading worker that has its row may not be written yet, or never be.
    writeUrl(state, entry.id, entry.url);
    if (entry.inSitemap) state.inSitemap.add(entry.id);
    state.report = report;
    visit(state, entry, response, reused, readPage(state, entry, response));
    this.pages.push(report);
  }

  private conclude(): void {
    const { pages, skipped, errors, bytes, statuses, needScripts, issues } = this.state.counters;
    const counters = { pages, skipped, errors, bytes, statuses: { ...statuses }, needScripts, issues: { ...issues } };
    this.resolve?.({ pages: this.pages, retries: this.retries, outcomes: this.outcomes, counters });
    this.resolve = null;
  }
}

/** Reads addresses for a run that another worker leads. What it has met and written so far it does not report again, so it is started anew if a batch could not be returned. */
export function createReader(start: CrawlStart, audit: PageAudit, host: Pick<CrawlHost, 'body' | 'now'>) {
  const state = createState(start, audit, host.now);
  let number = 0;
  let reading: Reading | null = null;

  return {
    async read(batch: LentBatch): Promise<Read> {
      const { connections } = batch.share;
      state.governor = createGovernor(() => batch.share, connections, connections);
      for (const url of batch.addedHosts) state.scope.addHost(url);
      state.charsets = new Map(batch.charsets);
      for (const { id } of batch.entries) state.queued.add(id);
      Object.assign(state.counters, { ...emptyCounters, statuses: {}, issues: { ...emptyCounters.issues } });
      reading = new Reading(state, host, batch);
      const result = await reading.run();
      reading = null;
      number += 1;
      return { batch: state.batch.take(number, [], emptyCounters, 0), result: storable(JSON.stringify(result)) };
    },
    end: (): void => reading?.end(),
    setPace: (perSecond: number | null): void => state.spacing.set(perSecond),
  };
}
export type Reader = ReturnType<typeof createReader>;
