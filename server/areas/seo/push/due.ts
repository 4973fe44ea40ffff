import { seoLimits } from '../../../../contract/seo/terms';
import type { Context } from '../../../context';
import { DAY, MINUTE } from '../../../zone';
import { enqueue } from '../../../worker';
import { releasedAt } from '../../publishing';
import { contentChangesSince } from '../../tables';
import * as queries from './queries';
import type { PushSettingsRow } from './queries';

type Changes = {
  /** The first and the last change since a time; null: nothing has changed. */
  readonly first: Date | null;
  readonly last: Date | null;
};

/** Since when changes of a site count; null: its pages were never read. A site that starts to push counts from then on. */
const countsFrom = ({ automatic, enabledAt, scannedAt }: PushSettingsRow): Date | null => scannedAt ?? (automatic ? enabledAt : null);
const pushes = ({ automatic, enabledAt }: PushSettingsRow): boolean => automatic && enabledAt !== null;
const beginning = new Date(0);

/**
 * Releases and changes of records of sites since the time from which they count, by site; two queries for all of them. Both store their times in their own transactions, so that no
 * change is lost and none of them waits for a comparison. Drafts count as well: comparing the pages once more costs little. Sites without a release are absent.
 */
async function changesOf({ postgres: { db } }: Pick<Context, 'postgres'>, sites: readonly PushSettingsRow[]): Promise<ReadonlyMap<string, Changes>> {
  const since = new Map(sites.map((row) => [row.siteId, countsFrom(row) ?? beginning]));
  const [released, content] = await Promise.all([releasedAt(db, [...since.keys()]), contentChangesSince(db, since)]);
  return new Map(
    [...released].map(([siteId, at]) => {
      const records = content.get(siteId);
      const all = [at > (since.get(siteId) ?? beginning) ? at : null, records?.first ?? null, records?.last ?? null].filter((one) => one !== null);
      const sorted = all.toSorted((a, b) => a.getTime() - b.getTime());
      return [siteId, { first: sorted[0] ?? null, last: sorted.at(-1) ?? null }];
    }),
  );
}

const later = (at: Date, minutes: number): number => at.getTime() + minutes * MINUTE;

/**
 * When the pages of a site are to be compared with their hashes; null: not before something changes. Ten minutes after the last change, but at most an hour after
 * the first, so that somebody who works all day does not delay everything. Once a day as well, because rules of a table may depend on the time.
 */
function dueFor(settings: PushSettingsRow, changes: Changes | undefined): Date | null {
  if (changes === undefined) return null;
  const { first, last } = changes;
  const since = countsFrom(settings);
  // Pages that were never read are read at once, so that their dates are known.
  if (since === null) return beginning;
  if (first !== null && last !== null) return new Date(Math.min(later(last, seoLimits.pushDelay), later(first, seoLimits.pushLongestDelay)));
  return settings.scannedAt === null ? since : new Date(settings.scannedAt.getTime() + DAY);
}

/** When changed pages of a site are pushed next; null: nothing is pushed by itself, or nothing has changed. */
export const dueAt = async (ctx: Pick<Context, 'postgres'>, settings: PushSettingsRow): Promise<Date | null> =>
  pushes(settings) ? dueFor(settings, (await changesOf(ctx, [settings])).get(settings.siteId)) : null;

/** Starts a comparison for every site for which it is due, at most every ten minutes. */
export async function enqueueScans(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const now = ctx.now();
  const sites = (await queries.indexedSites(db)).filter(
    ({ row: { scanQueuedAt } }) => scanQueuedAt === null || later(scanQueuedAt, seoLimits.pushDelay) <= now,
  );
  const changes = await changesOf(
    ctx,
    sites.map(({ row }) => row),
  );
  for (const { row, name } of sites) {
    const at = dueFor(row, changes.get(row.siteId));
    if (at === null || at.getTime() > now) continue;
    await queries.queueScan(db, row, new Date(now));
    await enqueue(ctx, 'seo.push', { siteId: row.siteId, label: name, once: true });
  }
}

export type PageScan = {
  /** Changes until then will be in the hashes. */
  readonly until: Date;
  /** Hashes are stored, but no address is sent: nothing is pushed by itself, or the pages were known before anything was. */
  readonly isQuiet: boolean;
};

/** What a comparison of a site's pages is for; null if the site has no release. */
export async function openScan(ctx: Context, siteId: string): Promise<PageScan | null> {
  const settings = (await queries.findSettings(ctx.postgres.db, siteId)) ?? queries.noPush(siteId);
  const changes = (await changesOf(ctx, [settings])).get(siteId);
  if (changes === undefined) return null;
  return { until: changes.last ?? new Date(ctx.now()), isQuiet: !pushes(settings) || (settings.scannedAt === null && changes.last === null) };
}

/** Counts the changes until a comparison as known without comparing pages. */
export const skipScan = async (ctx: Context, siteId: string, { until }: PageScan): Promise<void> =>
  void (await queries.changeScan(ctx.postgres.db, siteId, { scannedAt: until }));

/** A page as it is delivered. `changedAt`: when its content changed last, as far as its record tells; null: unknown. */
export type ScannedPage = { readonly hash: string; readonly changedAt: Date | null };

/** Stores the hashes of all pages of a site by address and queues those that changed, in one transaction. Returns how many. */
export async function storeScan(ctx: Context, siteId: string, scan: PageScan, pages: ReadonlyMap<string, ScannedPage>): Promise<number> {
  const now = new Date(ctx.now());
  const queued = await ctx.postgres.db.transaction(async (tx) => {
    const settings = await queries.findSettings(tx, siteId);
    const known = await queries.readHashes(tx, siteId);
    // A page that is new here may be old; one with another hash has changed since the last comparison.
    const changed = [...pages].flatMap(([address, { hash, changedAt }]) => {
      const before = known.get(address);
      return before === hash ? [] : [{ address, hash, changedAt: before === undefined ? (changedAt ?? scan.until) : scan.until }];
    });
    const removed = [...known.keys()].filter((address) => !pages.has(address));
    await queries.storeHashes(tx, siteId, changed, removed);
    await queries.changeScan(tx, siteId, { scannedAt: scan.until });
    if (settings === null || scan.isQuiet) return 0;
    const addresses = changed.map(({ address }) => ({ address, kind: 'changed' as const }));
    if (settings.indexnow)
      await queries.queueAddresses(tx, siteId, 'indexnow', [...addresses, ...removed.map((address) => ({ address, kind: 'removed' as const }))], now);
    // Baidu takes new and changed pages only.
    if (settings.baidu) await queries.queueAddresses(tx, siteId, 'baidu', addresses, now);
    return addresses.length + removed.length;
  });
  if (queued > 0) await ctx.postgres.notify(queries.pushChannel, '');
  ctx.live.publish({ type: 'seo', siteId, change: 'pushes' });
  return queued;
}
