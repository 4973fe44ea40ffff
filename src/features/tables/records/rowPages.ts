import type { ContentRecord, RecordLabels, RecordPage } from '@contract/tables/records';
import type { GridRow, RowSource } from '../grid/types';

/** Records of one call, and how many calls' worth is kept: 40 pages are 4 000 rows. */
export const pageRows = 100;
const keptPages = 40;
/** Many rows in one piece, for copying and filling. */
const loadRows = 1000;

export type PageAsked = {
  readonly offset?: number;
  readonly cursor?: string;
  readonly ids?: string;
  readonly limit: number;
  readonly count: 'none' | 'capped' | 'exact';
};
export type PagesEnvironment = {
  /** Rejects with a failure of the store. */
  readonly ask: (asked: PageAsked, signal: AbortSignal) => Promise<RecordPage>;
  readonly toRow: (record: ContentRecord) => GridRow;
  /** About how many records there are when they are too many to count; 0 when nothing is known. */
  readonly about: () => number;
  readonly isAborted: (error: unknown) => boolean;
  /** A failure in words for people. */
  readonly words: (error: unknown) => string;
};
type Page = { readonly rows: ContentRecord[]; readonly next: string | null; used: number; stale: boolean };

/** What is known of the list besides its rows. `more`: there are more than `total`. */
export type PagesState = {
  readonly total: number | null;
  readonly more: boolean;
  readonly loading: boolean;
  readonly failure: unknown;
  readonly slow: boolean;
  readonly labels: RecordLabels;
};

/**
 * Rows by their place, of which only some are here: pages of 100 come as they are looked at, the least recently seen go. What others changed is asked for
 * again only where it is looked at; rows that are here stay until their successors have come.
 */
export function makeRowPages(env: PagesEnvironment) {
  const pages = new Map<number, Page>();
  const asking = new Map<number, AbortController>();
  const drawn = new Map<string, { readonly record: ContentRecord; readonly row: GridRow }>();
  const hearers = new Set<() => void>();
  let range = { from: 0, to: pageRows };
  let state: PagesState = { total: null, more: false, loading: true, failure: null, slow: false, labels: { records: {}, people: {} } };
  let countWanted = true;
  /** What lies beyond a count that stopped. */
  let seen = 0;
  let tick = 0;
  let turn = 0;
  let ended = false;

  const tell = (): void => {
    tick += 1;
    for (const hear of hearers) hear();
  };
  const set = (change: Partial<PagesState>): void => {
    state = { ...state, ...change };
  };
  const learn = ({ labels, cost }: RecordPage): void =>
    set({
      slow: cost.slow,
      labels: { records: { ...state.labels.records, ...labels.records }, people: { ...state.labels.people, ...labels.people } },
    });

  const count = (): number => {
    if (state.total === null) return 0;
    return state.more ? Math.max(state.total + pageRows, seen + pageRows, env.about()) : state.total;
  };
  const recordAt = (index: number): ContentRecord | undefined => pages.get(Math.floor(index / pageRows))?.rows[index % pageRows];
  const draw = (record: ContentRecord): GridRow => {
    const before = drawn.get(record.id);
    if (before?.record === record) return before.row;
    const row = env.toRow(record);
    drawn.set(record.id, { record, row });
    return row;
  };

  const forget = (): void => {
    const first = Math.floor(range.from / pageRows);
    const last = Math.floor(Math.max(range.from, range.to - 1) / pageRows);
    const away = [...pages].filter(([at]) => at < first || at > last).sort(([, a], [, b]) => a.used - b.used);
    for (const [at, page] of away.slice(0, Math.max(0, pages.size - keptPages))) {
      for (const { id } of page.rows) drawn.delete(id);
      pages.delete(at);
    }
  };

  async function fetchPage(at: number): Promise<void> {
    const stop = new AbortController();
    const mine = turn;
    asking.set(at, stop);
    const counting = countWanted;
    countWanted = false;
    const before = pages.get(at - 1);
    // From the row before it, where that is known: a deep page costs no more than the first then.
    const place = before?.next != null && !before.stale ? { cursor: before.next } : { offset: at * pageRows };
    try {
      const answer = await env.ask({ ...place, limit: pageRows, count: counting ? 'capped' : 'none' }, stop.signal);
      if (mine !== turn || ended) return;
      learn(answer);
      pages.set(at, { rows: [...answer.rows], next: answer.next, used: (tick += 1), stale: false });
      if (answer.total !== null) set({ total: answer.total, more: answer.more });
      if (answer.rows.length > 0) seen = Math.max(seen, at * pageRows + answer.rows.length);
      // The end is here: what was taken for more is known now.
      if (answer.next === null && (answer.rows.length > 0 || at === 0)) set({ total: at * pageRows + answer.rows.length, more: false });
      else if (answer.rows.length === 0 && at > 0) void countExactly();
      set({ failure: null });
      forget();
    } catch (error) {
      if (counting) countWanted = true;
      if (mine === turn && !env.isAborted(error)) set({ failure: error });
    } finally {
      if (asking.get(at) === stop) asking.delete(at);
      if (mine === turn && !ended) {
        set({ loading: asking.size > 0 });
        tell();
      }
    }
  }

  function fill(): void {
    if (ended) return;
    const first = Math.floor(range.from / pageRows);
    const last = Math.floor(Math.max(range.from, range.to - 1) / pageRows);
    for (const [at, stop] of asking) {
      if (at >= first - 1 && at <= last + 1) continue;
      stop.abort();
      asking.delete(at);
    }
    for (let at = first; at <= last; at += 1) {
      const page = pages.get(at);
      if (page) page.used = tick += 1;
      if ((page && !page.stale) || asking.has(at)) continue;
      if (at > 0 && state.total !== null && !state.more && at * pageRows >= state.total) continue;
      void fetchPage(at);
    }
    if (asking.size > 0 && !state.loading) {
      set({ loading: true });
      tell();
    }
  }

  /** Counts all of them, however many. */
  async function countExactly(): Promise<void> {
    const mine = turn;
    try {
      const answer = await env.ask({ limit: 1, count: 'exact' }, new AbortController().signal);
      if (mine !== turn || ended) return;
      set({ total: answer.total, more: answer.more });
    } catch (error) {
      if (!env.isAborted(error)) set({ failure: error });
    }
    tell();
  }

  /** Asks again for what is in sight; the rest when it comes into sight. */
  function refresh(): void {
    for (const [at, page] of pages) {
      page.stale = true;
      const inSight = at >= Math.floor(range.from / pageRows) && at <= Math.floor(Math.max(range.from, range.to - 1) / pageRows);
      if (!inSight) {
        for (const { id } of page.rows) drawn.delete(id);
        pages.delete(at);
      }
    }
    for (const stop of asking.values()) stop.abort();
    asking.clear();
    turn += 1;
    countWanted = true;
    set({ failure: null });
    fill();
  }

  const each = (change: (record: ContentRecord) => ContentRecord): void => {
    for (const page of pages.values()) {
      page.rows.forEach((record, at) => {
        const next = change(record);
        if (next !== record) page.rows[at] = next;
      });
    }
  };
  const find = (id: string): { readonly record: ContentRecord; readonly index: number } | null => {
    for (const [at, page] of pages) {
      const inside = page.rows.findIndex((record) => record.id === id);
      const record = page.rows[inside];
      if (record) return { record, index: at * pageRows + inside };
    }
    return null;
  };

  /** Asks again for some records that are here, in their places. */
  async function refreshIds(ids: readonly string[]): Promise<void> {
    const here = ids.filter((id) => find(id) !== null).slice(0, loadRows);
    if (here.length === 0) return;
    const mine = turn;
    try {
      const answer = await env.ask({ ids: here.join(','), limit: here.length, count: 'none' }, new AbortController().signal);
      if (mine !== turn || ended) return;
      learn(answer);
      const fresh = new Map(answer.rows.map((record) => [record.id, record]));
      each((record) => {
        const next = fresh.get(record.id);
        return next && next.revision >= record.revision ? next : record;
      });
      tell();
    } catch {
      // They stay as they are; the next change of sight asks again.
    }
  }

  async function load(from: number, to: number, signal: AbortSignal): Promise<readonly GridRow[]> {
    const out: GridRow[] = [];
    for (let at = from; at < to;) {
      const known = recordAt(at);
      if (known) {
        out.push(draw(known));
        at += 1;
        continue;
      }
      let answer: RecordPage;
      try {
        answer = await env.ask({ offset: at, limit: Math.min(loadRows, to - at), count: 'none' }, signal);
      } catch (error) {
        throw new Error(env.words(error), { cause: error });
      }
      learn(answer);
      if (answer.rows.length === 0) break;
      out.push(...answer.rows.map((record) => drawn.get(record.id)?.row ?? env.toRow(record)));
      at += answer.rows.length;
    }
    return out;
  }

  const source: RowSource = {
    count,
    row: (index) => {
      const record = recordAt(index);
      return record && draw(record);
    },
    want: (from, to) => {
      range = { from, to };
      fill();
    },
    load,
    subscribe: (hear) => {
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
    version: () => tick,
  };

  return {
    source,
    state: () => state,
    refresh,
    refreshIds,
    countExactly,
    find,
    recordAt,
    /** There is a record at this place, however far a count that stopped has come. */
    reach: (index: number): void => {
      if (index < count()) return;
      seen = Math.max(seen, index + 1);
      tell();
    },
    /** Changes records that are here; a record that stays the same object is not drawn again. */
    each: (change: (record: ContentRecord) => ContentRecord): void => {
      each(change);
      tell();
    },
    /** What a row shows besides its record has changed. */
    redraw: (ids: readonly string[]): void => {
      for (const id of ids) drawn.delete(id);
      tell();
    },
    redrawAll: (): void => {
      drawn.clear();
      tell();
    },
    /** A record that was just made stands last until the list is asked for again. */
    append: (record: ContentRecord): number | null => {
      // The list may have been asked for again since, and have it already.
      const here = find(record.id);
      if (here) return here.index;
      if (state.total === null || state.more) return null;
      const index = state.total;
      const at = Math.floor(index / pageRows);
      const page = pages.get(at);
      if (page?.rows.length === index % pageRows) page.rows.push(record);
      else if (!page && index % pageRows === 0) pages.set(at, { rows: [record], next: null, used: (tick += 1), stale: false });
      else return null;
      set({ total: index + 1 });
      tell();
      return index;
    },
    start: (): void => {
      ended = false;
      fill();
    },
    end: (): void => {
      ended = true;
      turn += 1;
      for (const stop of asking.values()) stop.abort();
      asking.clear();
    },
  };
}
export type RowPages = ReturnType<typeof makeRowPages>;
