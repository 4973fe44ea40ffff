import { urlFamily } from '../../../../contract/crawler/urlFamily';
import { splitUrl } from './normalize';
import type { FamilyRow } from './protocol';
import { bitsOf } from './textMeasures';

/** Pages of a family that are compared with a new one. */
const remembered = 50;
/** A family below this share of new pages among the last 50 is paused. */
const leastNovel = 0.05;
/** One that repeats itself is continued after the others. */
const lateBelow = 0.3;
const lateFrom = 20;
/** No family of fewer pages is limited. */
const leastBudget = 500;
const similar = 3;

type Family = {
  readonly host: string;
  readonly family: string;
  pages: number;
  waiting: number;
  state: FamilyRow['state'];
  reason: FamilyRow['reason'];
  /** Halves of simhashes. */
  readonly hashes: { readonly high: number; readonly low: number }[];
  readonly novel: boolean[];
};

/** Budgets of families of addresses, and how much new their pages bring: the remedy for calendars and other endless spaces. `budget`: pages of one family. */
export function createFamilies(budget: number, rows: readonly FamilyRow[]) {
  const families = new Map<string, Family>();
  const changed = new Set<Family>();
  for (const row of rows) families.set(`${row.host} ${row.family}`, { ...row, waiting: 0, hashes: [], novel: [] });
  const most = Math.max(leastBudget, budget);

  function of(host: string, name: string): Family {
    const key = `${host} ${name}`;
    let family = families.get(key);
    if (family === undefined) {
      family = { host, family: name, pages: 0, waiting: 0, state: 'open', reason: null, hashes: [], novel: [] };
      families.set(key, family);
    }
    return family;
  }
  const ofUrl = (url: string): Family => {
    const { host, rest } = splitUrl(url);
    return of(host, urlFamily(rest));
  };
  function pause(family: Family, reason: 'budget' | 'novelty'): void {
    if (family.state !== 'open') return;
    family.state = 'paused';
    family.reason = reason;
    changed.add(family);
  }

  return {
    of: ofUrl,
    /** Whether its addresses may be requested now; one at its budget is paused. */
    mayRequest(family: Family): boolean {
      if (family.pages >= most) pause(family, 'budget');
      return family.state === 'open' || family.state === 'allowed';
    },
    /** 0: as early as depth says; more: later. */
    lateness(family: Family): number {
      if (family.state === 'allowed' || family.pages < lateFrom) return 0;
      const share = family.novel.filter(Boolean).length / Math.max(1, family.novel.length);
      return share < lateBelow ? 5 : 0;
    },
    /** `newLinks`: addresses of other families that the page was the first to have. */
    note(family: Family, simhash: bigint, newLinks: number): void {
      const high = Number((simhash >> 32n) & 0xffffffffn) | 0;
      const low = Number(simhash & 0xffffffffn) | 0;
      const isNew = newLinks > 0 || !family.hashes.some((hash) => bitsOf(hash.high ^ high) + bitsOf(hash.low ^ low) <= similar);
      family.pages += 1;
      family.hashes.push({ high, low });
      family.novel.push(isNew);
      if (family.hashes.length > remembered) family.hashes.shift();
      if (family.novel.length > remembered) family.novel.shift();
      changed.add(family);
      if (family.novel.length === remembered && family.novel.filter(Boolean).length < remembered * leastNovel) pause(family, 'novelty');
    },
    wait(family: Family, by: number): void {
      family.waiting += by;
      if (family.pages > 0) changed.add(family);
    },
    decide(host: string, name: string, state: 'allowed' | 'excluded'): void {
      const family = of(host, name);
      family.state = state;
      changed.add(family);
    },
    /** Rows that changed since the last call. Families of single pages are left out. */
    takeChanged(): FamilyRow[] {
      const rowsOf = [...changed].filter(({ pages, waiting, state }) => pages + waiting > 1 || state !== 'open');
      changed.clear();
      return rowsOf.map(({ host, family, pages, waiting, state, reason }) => ({ host, family, pages, waiting, state, reason }));
    },
  };
}
