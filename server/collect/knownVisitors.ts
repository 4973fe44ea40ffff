import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClickHouse } from '../stores/clickhouse/types';
import { findVisitors } from './queries';
import type { VisitorName } from './queries';
import { keyOf, noId } from './row';
import { newVisitor } from './visitor';
import { createVisitorCache, entriesAtAStretch, newEntry } from './visitorCache';
import type { Unwritten, VisitorEntry } from './visitorCache';

export type KnownVisitors = {
  /** A visitor that `ensure` has brought into memory. */
  readonly get: (siteId: string, id: string) => VisitorEntry;
  /** The visitor that this one turned out to be; mostly itself. */
  readonly rootOf: (entry: VisitorEntry) => VisitorEntry;
  /** Brings visitors into memory, those that they turned out to be as well. */
  readonly ensure: (names: Iterable<VisitorName>) => Promise<void>;
  /** Notes that an entry was used and may have grown. */
  readonly touch: (entry: VisitorEntry) => void;
  /** What of a visitor waits to be written, from this call on if nothing did before. */
  readonly wait: (entry: VisitorEntry, call: number) => Unwritten;
  /** Nothing of the visitor waits any more; `at`: when its rows were written (epoch ms). */
  readonly markWritten: (entry: VisitorEntry, at: number) => void;
  /** Visitors with something that waits, in the order of `since`. */
  readonly unwritten: () => Iterable<VisitorEntry>;
  /** Makes room; `before`: visits that ended earlier need not be at hand (epoch ms). */
  readonly trim: (before: number) => Promise<void>;
  /** Forgets the visitors of the sites that `choose` names; `drop` gets those with something unwritten. */
  readonly forget: (choose: (siteId: string) => boolean, drop: (entry: VisitorEntry) => void) => void;
  /** Bytes in use, and the most that there may be. */
  readonly bytes: () => number;
  readonly capacity: number;
};

/** The visitors that the builder works on: a cache of what ClickHouse has, and the list of those with something it does not have yet. */
export function createKnownVisitors(ch: ClickHouse, cacheBytes: number): KnownVisitors {
  const cache = createVisitorCache(cacheBytes);
  /** In the order of `since`. */
  const unwritten = new Set<VisitorEntry>();

  const get = (siteId: string, id: string): VisitorEntry => cache.get(keyOf(siteId, id)) as VisitorEntry;
  const touch = (entry: VisitorEntry): void => cache.touch(keyOf(entry.visitor.siteId, entry.visitor.id), entry);

  return {
    get,
    touch,
    rootOf(entry) {
      let root = entry;
      while (root.visitor.sameAs !== noId) root = get(root.visitor.siteId, root.visitor.sameAs);
      return root;
    },
    async ensure(names) {
      let open = [...names];
      while (open.length > 0) {
        const missing = new Map<string, VisitorName>();
        for (const [index, name] of open.entries()) {
          if (cache.get(keyOf(name.siteId, name.id)) === undefined) missing.set(keyOf(name.siteId, name.id), name);
          if (index % entriesAtAStretch === entriesAtAStretch - 1) await nextTurn();
        }
        const found = new Map((await findVisitors(ch, [...missing.values()])).map((visitor) => [keyOf(visitor.siteId, visitor.id), visitor]));
        for (const [key, name] of missing) cache.add(key, newEntry(found.get(key) ?? newVisitor(name.siteId, name.id)));
        open = open.flatMap(({ siteId, id }) => {
          const { sameAs } = get(siteId, id).visitor;
          return sameAs === noId ? [] : [{ siteId, id: sameAs }];
        });
      }
    },
    wait(entry, call) {
      entry.unwritten ??= { since: call, drafts: new Set(), gone: [], urgent: false };
      unwritten.add(entry);
      return entry.unwritten;
    },
    markWritten(entry, at) {
      entry.unwritten = null;
      entry.writtenAt = at;
      unwritten.delete(entry);
      touch(entry);
    },
    unwritten: () => unwritten,
    trim: cache.trim,
    forget(choose, drop) {
      for (const entry of unwritten) if (choose(entry.visitor.siteId) && unwritten.delete(entry)) drop(entry);
      cache.drop(choose);
    },
    bytes: cache.bytes,
    capacity: cache.capacity,
  };
}
