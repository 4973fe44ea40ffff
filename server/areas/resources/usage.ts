import type { Context } from '../../context';
import { startFlush } from '../../kit/flush';
import type { Flush } from '../../kit/flush';
import * as queries from './deliveryQueries';
import type { Downloads, VariantUse } from './deliveryQueries';

export type Usage = Flush & {
  readonly countDownload: (resourceId: string) => void;
  readonly useVariant: (variant: Omit<VariantUse, 'at'>) => void;
};

const flushEvery = 15_000;
/** Entries that wait to be written; the next one has them written at once. */
const mostWaiting = 2000;
/** The use of a variant is recorded at most this often, in milliseconds. */
const touchEvery = 3_600_000;
const mostTouched = 20_000;

/**
 * Counts downloads and uses of variants in memory, and writes them from time to time. What a process counted in its last seconds is lost when it is killed. If
 * PostgreSQL does not answer, counts of downloads wait for the next time, as long as there are not too many.
 */
export function openUsage(ctx: Context): Usage {
  const downloads = new Map<string, Downloads>();
  const variants = new Map<string, VariantUse>();
  const touched = new Map<string, number>();

  async function write(): Promise<void> {
    const counted = [...downloads.values()];
    const used = [...variants.values()];
    downloads.clear();
    variants.clear();
    if (counted.length + used.length === 0) return;
    try {
      // One process at a time, because rows are not locked in the same order everywhere.
      await ctx.postgres.withLock('resource usage', async () => {
        await queries.addDownloads(ctx.postgres.db, counted);
        counted.length = 0;
        await queries.touchVariants(ctx.postgres.db, used);
      });
    } catch (error) {
      ctx.log.warn('downloads of resources could not be counted', { error });
      if (downloads.size + counted.length <= mostWaiting) for (const one of counted) add(one);
    }
  }
  const { flush, close } = startFlush(write, flushEvery);

  function add({ id, count, at }: Downloads): void {
    const known = downloads.get(id);
    downloads.set(id, { id, count: count + (known?.count ?? 0), at: known && known.at > at ? known.at : at });
  }
  function flushIfFull(): void {
    if (downloads.size + variants.size >= mostWaiting) void flush();
  }

  return {
    countDownload(id) {
      add({ id, count: 1, at: new Date(ctx.now()) });
      flushIfFull();
    },
    useVariant(variant) {
      const key = `${variant.siteId}/${variant.sha256}/${variant.name}`;
      const now = ctx.now();
      if (now - (touched.get(key) ?? -Infinity) < touchEvery) return;
      if (touched.size >= mostTouched) touched.clear();
      touched.set(key, now);
      variants.set(key, { ...variant, at: new Date(now) });
      flushIfFull();
    },
    flush,
    close,
  };
}
