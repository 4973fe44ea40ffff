import { limits } from '../../contract/collect/schemas';
import { hitBytes, keyOf } from './row';
import type { HitRow } from './row';

/** Visitors per day whose sums are kept in memory; in two generations, so up to twice as many. */
const rememberedVisitors = 100_000;
const dayMs = 24 * 3600 * 1000;

type Sums = { hits: number; bytes: number; marked: boolean };

/** A hit that marks all visits of its visitor that begin on its day (UTC) as a bot's. */
export const isFloodMark = (hit: HitRow): boolean => hit.set_aside !== 1 && hit.bot_reasons.includes('flood');
/** The beginning of the day, UTC. */
export const floodDay = (at: number): number => at - (at % dayMs);
/** Days on which a visitor sent more than a human would. */
export const floodDays = (hits: readonly HitRow[]): ReadonlySet<number> => new Set(hits.filter(isFloodMark).map((hit) => floodDay(hit.at)));

/**
 * Sets aside hits of one visitor above the daily limits (`limits.visitorHitsPerDay`, `limits.visitorBytesPerDay`; by the UTC day of the hit): they are stored
 * and marked, but not part of any visit. Humans do not reach the limits; a bot that does would create visits so large that they delay all other sites. The
 * first hit above the limit is still part of a visit: its signal marks the visits of the whole day as a bot's (`isFloodMark`). Sums are kept by this process
 * since its start. Returns the number of hits set aside.
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
