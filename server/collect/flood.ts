import { limits } from '../../contract/collect/schemas';
import { hitBytes, keyOf } from './row';
import type { HitRow } from './row';

/** Visitors of one day whose sums are remembered; in two generations, so that at most twice as many are. */
const rememberedVisitors = 100_000;
const dayMs = 24 * 3600 * 1000;

type Sums = { hits: number; bytes: number; marked: boolean };

/** A hit that says of all visits of its visitor that begin on its day (UTC) that they are a program's. */
export const isFloodMark = (hit: HitRow): boolean => hit.set_aside !== 1 && hit.bot_reasons.includes('flood');
/** The beginning of the day, UTC. */
export const floodDay = (at: number): number => at - (at % dayMs);
/** Days on which what a visitor sent was too much to be a person's. */
export const floodDays = (hits: readonly HitRow[]): ReadonlySet<number> => new Set(hits.filter(isFloodMark).map((hit) => floodDay(hit.at)));

/**
 * Sets aside what one visitor sends beyond the bounds of a day (`limits.visitorHitsPerDay`, `limits.visitorBytesPerDay`; the day, UTC, on which it
 * happened): it is stored, marked, and part of no visit. People do not come near; a program that does would make visits whose rows cost every
 * other site its turn. The first hit beyond is still part of a visit: its reason makes those of the whole day a program's (`isFloodMark`). Sums are kept
 * by this process since its start. Answers how many were set aside.
 */
export function createFloodGuard(): (rows: readonly HitRow[]) => number {
  let young = new Map<string, Sums>();
  let old = new Map<string, Sums>();

  function sumsOf(row: HitRow): Sums {
    const key = `${keyOf(row.site_id, row.visitor_id)}${floodDay(row.at)}`;
    let sums = young.get(key);
    if (sums !== undefined) return sums;
    sums = old.get(key) ?? { hits: 0, bytes: 0, marked: false };
    if (young.size >= rememberedVisitors) {
      old = young;
      young = new Map();
    }
    young.set(key, sums);
    return sums;
  }

  return (rows) => {
    let setAside = 0;
    for (const row of rows) {
      const sums = sumsOf(row);
      sums.hits += 1;
      sums.bytes += hitBytes(row);
      if (sums.hits <= limits.visitorHitsPerDay && sums.bytes <= limits.visitorBytesPerDay) continue;
      row.bot_score = 100;
      row.bot_reasons = [...row.bot_reasons, 'flood'];
      if (sums.marked) {
        row.set_aside = 1;
        setAside += 1;
      }
      sums.marked = true;
    }
    return setAside;
  };
}
