import { writeHit } from '../../collect/rowBinary';
import type { HitRow } from '../../collect/row';
import { createRowWriter } from '../../stores/clickhouse/rowBinary';
import { hasOthers, hitName, insertImported, knownHits } from './hitStore';
import type { HitName, ImportStore } from './hitStore';
import type { Progress } from './progress';

/** Maximum hits and bytes per insert: ClickHouse handles few large parts best. */
const mostHits = 60_000;
const mostBytes = 16 * 2 ** 20;

export type Sink = {
  /** Whether other imports of the site may already contain a hit. */
  readonly looks: boolean;
  /** Adds a hit; `otherVisitors`: visitor ids under which another import may have stored it. */
  readonly add: (hit: HitRow, otherVisitors?: readonly string[]) => void;
  /** Whether a batch is full and `flush` should be called. */
  readonly full: () => boolean;
  /** Starts storing the current batch while the next one is collected, then stores the progress as of now. */
  readonly flush: () => Promise<void>;
  /** Resolves when everything is stored. */
  readonly close: () => Promise<void>;
  /** Waits for the running insert, even if it fails: nothing may be written after an import has stopped. */
  readonly settle: () => Promise<void>;
};

export type SinkTarget = {
  readonly store: ImportStore;
  readonly siteId: string;
  /** The number of the import. */
  readonly number: number;
  /** Stores the progress of the import. */
  readonly save: (progress: Progress) => Promise<void>;
};

type Batch = {
  /** End offset of each row in the bytes. */
  readonly ends: number[];
  readonly views: string[];
  /** The visitor id of each row, and the ids under which another import may have stored it. */
  readonly visitors: (readonly string[])[];
  readonly bots: boolean[];
  firstAt: number;
  lastAt: number;
};
const newBatch = (): Batch => ({ ends: [], views: [], visitors: [], bots: [], firstAt: Number.POSITIVE_INFINITY, lastAt: Number.NEGATIVE_INFINITY });

/**
 * Stores hits in batches; one batch is stored while the next is collected. Hits that another import already stored are skipped, so that each belongs to one
 * import and is removed with it.
 */
export async function openSink({ store, siteId, number, save }: SinkTarget, progress: Progress): Promise<Sink> {
  const looks = await hasOthers(store, siteId, number);
  const writer = createRowWriter(mostBytes + 2 ** 20);
  let batch = newBatch();
  let storing: Promise<void> = Promise.resolve();

  async function keep(rows: Uint8Array, { ends, views, visitors, bots, firstAt, lastAt }: Batch, upTo: Progress): Promise<void> {
    if (ends.length > 0) {
      const namesOf = (i: number): HitName[] => (visitors[i] ?? []).map((visitor) => ({ visitor, view: views[i] as string }));
      const known = looks ? await knownHits(store, siteId, number, { names: ends.flatMap((_, i) => namesOf(i)), firstAt, lastAt }) : new Set<string>();
      const isFresh = (_: unknown, i: number): boolean => known.size === 0 || !namesOf(i).some((name) => known.has(hitName(name)));
      const fresh = ends.filter(isFresh).length;
      progress.accepted += fresh;
      progress.repeated += ends.length - fresh;
      progress.bots += bots.filter((bot, i) => bot && isFresh(bot, i)).length;
      const bytes = fresh === ends.length ? rows : chosenRows(rows, ends, isFresh);
      if (fresh > 0) await insertImported(store, bytes, `import ${number} ${upTo.file} ${views[0]} ${fresh}`);
      Object.assign(upTo, { accepted: progress.accepted, repeated: progress.repeated, bots: progress.bots });
    }
    await save(upTo);
  }

  async function flush(): Promise<void> {
    const [rows, gathered] = [writer.take(), batch];
    const upTo = structuredClone(progress);
    batch = newBatch();
    await storing;
    storing = keep(rows, gathered, upTo);
    // A failure is thrown by the next `flush` or `close`, not here.
    storing.catch(() => undefined);
  }

  return {
    looks,
    add(hit, otherVisitors = []) {
      writeHit(writer, hit);
      writer.u32(number);
      batch.ends.push(writer.size());
      batch.views.push(hit.view_id);
      if (looks) batch.visitors.push([hit.visitor_id, ...otherVisitors]);
      batch.bots.push(hit.bot_score >= 90);
      batch.firstAt = Math.min(batch.firstAt, hit.at);
      batch.lastAt = Math.max(batch.lastAt, hit.at);
    },
    full: () => batch.ends.length >= mostHits || writer.size() >= mostBytes,
    flush,
    async close() {
      await flush();
      await storing;
    },
    settle: () => storing.catch(() => undefined),
  };
}

/** A copy of the selected rows. */
function chosenRows(rows: Uint8Array, ends: readonly number[], choose: (end: number, index: number) => boolean): Uint8Array {
  const chosen = new Uint8Array(rows.length);
  let size = 0;
  ends.forEach((end, index) => {
    if (!choose(end, index)) return;
    const row = rows.subarray(ends[index - 1] ?? 0, end);
    chosen.set(row, size);
    size += row.length;
  });
  return chosen.subarray(0, size);
}
