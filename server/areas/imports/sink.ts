import type { HitRow } from '../../collect/row';
import type { Context } from '../../context';
import type { Progress } from './progress';
import { hitName, hasOthers, insertImported, knownHits, saveProgress } from './queries';

/** Hits stored at once. */
const batchSize = 10_000;

export type Sink = {
  /** Takes a hit; waits only while the batch before the last is still being stored. */
  readonly add: (hit: HitRow) => void;
  /** Whether a batch is full: the place to call `flush`. */
  readonly full: () => boolean;
  /** Stores what has gathered, beside what comes next, and then keeps the progress as it is now. */
  readonly flush: () => Promise<void>;
  /** Resolves when everything is stored. */
  readonly close: () => Promise<void>;
  /** Waits for what is being stored, whatever comes of it: nothing may be written behind a stopped import. */
  readonly settle: () => Promise<void>;
};

/**
 * Stores hits in batches, one being stored while the next gathers. Hits that another import has brought already are left to it, so that
 * each belongs to one import and goes with it.
 */
export async function openSink(
  ctx: Context,
  target: { readonly id: string; readonly siteId: string; readonly number: number },
  progress: Progress,
): Promise<Sink> {
  const { id, siteId, number } = target;
  const looks = await hasOthers(ctx.clickhouse, siteId, number);
  let rows: HitRow[] = [];
  let storing: Promise<void> = Promise.resolve();

  async function store(batch: readonly HitRow[], upTo: Progress): Promise<void> {
    if (batch.length > 0) {
      const known = looks ? await knownHits(ctx.clickhouse, siteId, number, batch) : new Set<string>();
      const fresh = known.size === 0 ? batch : batch.filter((row) => !known.has(hitName(row)));
      progress.accepted += fresh.length;
      progress.repeated += batch.length - fresh.length;
      progress.bots += fresh.filter((row) => row.bot_score >= 90).length;
      const first = batch[0];
      if (fresh.length > 0 && first) await insertImported(ctx.clickhouse, fresh, number, `import ${number} ${upTo.file} ${first.view_id} ${fresh.length}`);
      Object.assign(upTo, { accepted: progress.accepted, repeated: progress.repeated, bots: progress.bots });
    }
    await saveProgress(ctx.postgres.db, id, upTo);
  }

  async function flush(): Promise<void> {
    const batch = rows;
    const upTo = structuredClone(progress);
    rows = [];
    await storing;
    storing = store(batch, upTo);
    // A failure is thrown by the next `flush` or `close`, not in between.
    storing.catch(() => undefined);
  }

  return {
    add: (hit) => void rows.push(hit),
    full: () => rows.length >= batchSize,
    flush,
    async close() {
      await flush();
      await storing;
    },
    settle: () => storing.catch(() => undefined),
  };
}
