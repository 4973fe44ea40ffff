import { seoLimits } from '../../../../contract/seo/terms';
import type { Context } from '../../../context';
import { DAY, MINUTE } from '../../../zone';
import { enqueue } from '../../../worker';
import { releasedAt } from '../../publishing';
import { contentChangesSince } from '../../tables';
import * as queries from './queries';
import type { PushSettingsRow } from './queries';

type Changes = {
  /** Whether the site has a release. */
  readonly isReleased: boolean;
  /** The first and the last change since a time; null: nothing has changed. */
  readonly first: Date | null;
  readonly last: Date | null;
};

/**
 * Releases and changes of records since a time. Both store their times in their own transactions, so that no change is lost and none of them waits for a push.
 * Drafts count as well: comparing the pages once more costs little.
 */
async function changesSince({ postgres: { db } }: Pick<Context, 'postgres'>, siteId: string, since: Date): Promise<Changes> {
  const [released, content] = await Promise.all([releasedAt(db, siteId), contentChangesSince(db, siteId, since)]);
  const all = [released !== null && released > since ? released : null, content?.first ?? null, content?.last ?? null].filter((at) => at !== null);
  const [first = null, last = null] = [all.toSorted((a, b) => a.getTime() - b.getTime())[0], all.toSorted((a, b) => b.getTime() - a.getTime())[0]];
  return { isReleased: released !== null, first, last };
}

const later = (at: Date, minutes: number): number => at.getTime() + minutes * MINUTE;

/** Since when changes of a site count; null: nothing is pushed by itself. */
const countsFrom = ({ automatic, enabledAt, scannedAt }: PushSettingsRow): Date | null => (automatic && enabledAt !== null ? (scannedAt ?? enabledAt) : null);

/**
 * When the pages of a site are to be compared with their hashes; null: not before something changes. Ten minutes after the last change, but at most an hour after
 * the first, so that somebody who works all day does not delay everything. Once a day as well, because rules of a table may depend on the time.
 */
export async function dueAt(ctx: Pick<Context, 'postgres'>, settings: PushSettingsRow): Promise<Date | null> {
  const since = countsFrom(settings);
  if (since === null) return null;
  const { isReleased, first, last } = await changesSince(ctx, settings.siteId, since);
  if (!isReleased) return null;
  if (first !== null && last !== null) return new Date(Math.min(later(last, seoLimits.pushDelay), later(first, seoLimits.pushLongestDelay)));
  return settings.scannedAt === null ? since : new Date(settings.scannedAt.getTime() + DAY);
}

/** Starts a comparison for every site for which it is due, at most every ten minutes. */
export async function enqueueScans(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const now = ctx.now();
  for (const { row, name } of await queries.automaticSites(db)) {
    if (row.scanQueuedAt !== null && later(row.scanQueuedAt, seoLimits.pushDelay) > now) continue;
    const at = await dueAt(ctx, row);
    if (at === null || at.getTime() > now) continue;
    await queries.changeScan(db, row.siteId, { scanQueuedAt: new Date(now) });
    await enqueue(ctx, 'seo.push', { siteId: row.siteId, label: name, once: true });
  }
}

export type PageScan = {
  /** Changes until then will be in the hashes. */
  readonly until: Date;
  /** The pages were known before anything was pushed: their hashes are stored, but none of them is sent. */
  readonly isBaseline: boolean;
};

/** What a comparison of a site's pages is for; null if nothing is pushed by itself. */
export async function openScan(ctx: Context, siteId: string): Promise<PageScan | null> {
  const settings = await queries.findSettings(ctx.postgres.db, siteId);
  const since = settings && countsFrom(settings);
  if (settings === null || since === null) return null;
  const { last } = await changesSince(ctx, siteId, since);
  return { until: last ?? new Date(ctx.now()), isBaseline: settings.scannedAt === null && last === null };
}

/** Counts the changes until a comparison as known without comparing pages. */
export const skipScan = async (ctx: Context, siteId: string, { until }: PageScan): Promise<void> =>
  void (await queries.changeScan(ctx.postgres.db, siteId, { scannedAt: until }));

/** Stores the hashes of all pages of a site by address and queues those that changed, in one transaction. Returns how many. */
export async function storeScan(ctx: Context, siteId: string, scan: PageScan, hashes: ReadonlyMap<string, string>): Promise<number> {
  const now = new Date(ctx.now());
  const queued = await ctx.postgres.db.transaction(async (tx) => {
    const settings = await queries.findSettings(tx, siteId);
    const known = await queries.readHashes(tx, siteId);
    const changed = new Map([...hashes].filter(([address, hash]) => known.get(address) !== hash));
    const removed = [...known.keys()].filter((address) => !hashes.has(address));
    await queries.storeHashes(tx, siteId, changed, removed, now);
    await queries.changeScan(tx, siteId, { scannedAt: scan.until });
    if (settings === null || scan.isBaseline) return 0;
    const pages = [...changed.keys()].map((address) => ({ address, kind: 'changed' as const }));
    if (settings.indexnow)
      await queries.queueAddresses(tx, siteId, 'indexnow', [...pages, ...removed.map((address) => ({ address, kind: 'removed' as const }))], now);
    // Baidu takes new and changed pages only.
    if (settings.baidu) await queries.queueAddresses(tx, siteId, 'baidu', pages, now);
    return pages.length + removed.length;
  });
  if (queued > 0) await ctx.postgres.notify(queries.pushChannel, '');
  ctx.live.publish({ type: 'seo', siteId, change: 'pushes' });
  return queued;
}
