import type { HitRow } from '../../collect/row';
import type { Context } from '../../context';
import type { Progress } from './progress';
import { hitName, hasOthers, insertImported, knownHits, saveProgress } from './queries';
import type { HitName } from './queries';

/** Hits stored at once. */
const batchSize = 10_000;

export type Sink = {
  /** Whether other imports may have brought a hit already. */
  readonly looks: boolean;
  /** Takes a hit; `otherVisitors`: ids of visitors under which another import may have brought it. */
  readonly add: (hit: HitRow, otherVisitors?: readonly string[]) => void;
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
  let others = new Map<HitRow, readonly string[]>();
  let storing: Promise<void> = Promise.resolve();

  async function store(batch: readonly HitRow[], otherVisitors: ReadonlyMap<HitRow, readonly string[]>, upTo: Progress): Promise<void> {
    if (batch.length > 0) {
      const namesOf = (row: HitRow): HitName[] => [
        row,
        ...(otherVisitors.get(row) ?? []).map((visitor) => ({ visitor_id: visitor, view_id: row.view_id, seq: row.seq })),
      ];
      const known = looks ? await knownHits(ctx.clickhouse, siteId, number, batch.flatMap(namesOf)) : new Set<string>();
      const fresh = known.size === 0 ? batch : batch.filter((row) => !namesOf(row).some((one) => known.has(hitName(one))));
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
    const otherVisitors = others;
    const upTo = structuredClone(progress);
    rows = [];
    others = new Map();
    await storing;
    storing = store(batch, otherVisitors, upTo);
    // A failure is thrown by the next `flush` or `close`, not in between.
    storing.catch(() => undefined);
  }

  return {
    looks,
    add(hit, otherVisitors = []) {
      rows.push(hit);
      if (otherVisitors.length > 0) others.set(hit, otherVisitors);
    },
    full: () => rows.length >= batchSize,
    flush,
    async close() {
      await flush();
      await storing;
    },
    settle: () => storing.catch(() => undefined),
  };
}
