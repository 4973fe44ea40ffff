import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import { noId } from './row';
import { packDraft, unpackDraft } from './packedDraft';
import { draftBytes, visitIdOf } from './visitDraft';
import type { VisitDraft } from './visitDraft';
import type { KnownVisit, Tombstone, Visitor } from './visitor';

/** A visitor in memory. */
export type VisitorEntry = {
  readonly visitor: Visitor;
  /** The latest visit, if its hits are in memory; null if they must be read. */
  draft: VisitDraft | null;
  /** Data that is not in ClickHouse yet. */
  unwritten: Unwritten | null;
  /** Visits from this time on must be derived again before anything else is added; infinite if none. */
  staleFrom: number;
  /** When the row of `draft` was last written (epoch ms); 0: never. */
  writtenAt: number;
  bytes: number;
};
export type Unwritten = {
  /** The first call with hits of this data. */
  readonly since: number;
  readonly drafts: Set<VisitDraft>;
  gone: Tombstone[];
  /** Must not be delayed: something was never written, or ids have changed. */
  urgent: boolean;
};

/** Replaces the unwritten visits from `from` on by newly derived ones. A visit that had a tombstone may exist again. */
export function replaceUnwritten(rows: Unwritten, from: number, drafts: readonly VisitDraft[], gone: readonly Tombstone[]): void {
  for (const draft of rows.drafts) if (draft.start >= from) rows.drafts.delete(draft);
  for (const draft of drafts) rows.drafts.add(draft);
  const live = new Set(drafts.map((draft) => `${visitIdOf(draft)}${draft.start}`));
  rows.gone = [...rows.gone.filter((visit) => !live.has(`${visit.visit_id}${visit.start}`)), ...gone];
  rows.urgent = true;
}

export type VisitorCache = {
  readonly get: (key: string) => VisitorEntry | undefined;
  readonly add: (key: string, entry: VisitorEntry) => void;
  /** Records that an entry was used and may have grown. */
  readonly touch: (key: string, entry: VisitorEntry) => void;
  /** Frees memory; entries with unwritten data stay. `before`: drafts of visits that ended earlier are not needed (epoch ms). */
  readonly trim: (before: number) => Promise<void>;
  readonly drop: (choose: (siteId: string) => boolean) => void;
  readonly entries: () => Iterable<VisitorEntry>;
  /** Bytes in use, and their limit. */
  readonly bytes: () => number;
  readonly capacity: number;
};

/** A quarter of the memory that Node may use, 512 MB at most. */
export const defaultCacheBytes = (): number => Math.min(512 * 1024 * 1024, Math.floor(v8.getHeapStatistics().heap_size_limit / 4));
/** The share for visitors as objects; the others are stored as text, which takes a quarter of the memory and does not burden the garbage collector. */
const openShare = 0.7;
const entryBytes = 500;
/** Entries packed or unpacked before yielding to the event loop; takes a millisecond or two. */
export const entriesAtAStretch = 50;

/**
 * Visitors in memory, ordered by last use and limited in bytes: the most recently used as objects, older ones as packed text. All others are read from
 * ClickHouse.
 */
export function createVisitorCache(capacity: number): VisitorCache {
  const open = new Map<string, VisitorEntry>();
  const packed = new Map<string, string>();
  let openBytes = 0;
  let packedBytes = 0;

  function unpack(key: string): VisitorEntry | undefined {
    const text = packed.get(key);
    if (text === undefined) return undefined;
    packed.delete(key);
    packedBytes -= textBytes(key, text);
    const entry = unpackEntry(text);
    open.set(key, entry);
    openBytes += entry.bytes;
    return entry;
  }

  async function packOldest(before: number): Promise<void> {
    let done = 0;
    for (const [key, entry] of open) {
      if (openBytes <= capacity * openShare) return;
      if (entry.unwritten !== null || entry.staleFrom !== Number.POSITIVE_INFINITY) continue;
      open.delete(key);
      openBytes -= entry.bytes;
      const text = packEntry(entry, before);
      packed.set(key, text);
      packedBytes += textBytes(key, text);
      // Yields, because the same thread serves requests.
      if ((done += 1) % entriesAtAStretch === 0) await nextTurn();
    }
  }

  return {
    capacity,
    bytes: () => openBytes + packedBytes,
    get: (key) => open.get(key) ?? unpack(key),
    add(key, entry) {
      entry.bytes = sizeOf(entry);
      open.set(key, entry);
      openBytes += entry.bytes;
    },
    touch(key, entry) {
      if (!open.delete(key)) return;
      open.set(key, entry);
      openBytes -= entry.bytes;
      entry.bytes = sizeOf(entry);
      openBytes += entry.bytes;
    },
    async trim(before) {
      await packOldest(before);
      for (const [key, text] of packed) {
        if (openBytes + packedBytes <= capacity) return;
        packed.delete(key);
        packedBytes -= textBytes(key, text);
      }
    },
    drop(choose) {
      for (const [key, entry] of open) if (choose(entry.visitor.siteId) && open.delete(key)) openBytes -= entry.bytes;
      for (const [key, text] of packed) if (choose(key.slice(0, -noId.length)) && packed.delete(key)) packedBytes -= textBytes(key, text);
    },
    entries: () => open.values(),
  };
}

export const newEntry = (visitor: Visitor): VisitorEntry => ({
  visitor,
  draft: null,
  unwritten: null,
  staleFrom: Number.POSITIVE_INFINITY,
  writtenAt: 0,
  bytes: 0,
});

const sizeOf = ({ visitor, draft, unwritten }: VisitorEntry): number =>
  entryBytes +
  110 * visitor.visits.length +
  40 * (visitor.members.length + visitor.heirs.length) +
  (draft === null ? 0 : draftBytes(draft)) +
  othersBytes(draft, unwritten);

/** Earlier visits that are still unwritten. */
function othersBytes(draft: VisitDraft | null, unwritten: Unwritten | null): number {
  let bytes = 0;
  for (const other of unwritten?.drafts ?? []) if (other !== draft) bytes += draftBytes(other);
  return bytes;
}

/** Size of the text, its key and the map entry. Texts with characters beyond Latin-1 take two bytes per character. */
const textBytes = (key: string, text: string): number => 120 + key.length + (Buffer.byteLength(text) === text.length ? text.length : text.length * 2);

function packEntry({ visitor, draft, writtenAt }: VisitorEntry, before: number): string {
  const { siteId, id, version, sameAs, members, heirs, altId, altAt, lastAt, base, visits } = visitor;
  const needed = draft !== null && draft.last.at >= before;
  return JSON.stringify([
    [siteId, id, version, sameAs, members, heirs, altId, altAt, lastAt, base.count, base.start],
    visits.map((visit) => [visit.id, visit.start, visit.last, Number(visit.gone)]),
    writtenAt,
    needed ? packDraft(draft) : null,
  ]);
}

function unpackEntry(text: string): VisitorEntry {
  const [own, visits, writtenAt, draft] = JSON.parse(text) as [unknown[], [string, number, number, number][], number, unknown];
  const [siteId, id, version, sameAs, members, heirs, altId, altAt, lastAt, count, start] = own as [
    string,
    string,
    number,
    string,
    string[],
    string[],
    string,
    number,
    number,
    number,
    number,
  ];
  const known = visits.map(([visitId, visitStart, last, gone]): KnownVisit => ({ id: visitId, start: visitStart, last, gone: gone === 1 }));
  const entry: VisitorEntry = {
    visitor: { siteId, id, version, sameAs, members, heirs, altId, altAt, lastAt, base: { count, start }, visits: known },
    draft: draft === null ? null : unpackDraft(draft),
    unwritten: null,
    staleFrom: Number.POSITIVE_INFINITY,
    writtenAt,
    bytes: 0,
  };
  entry.bytes = sizeOf(entry);
  return entry;
}
