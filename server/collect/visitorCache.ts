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
  /** The latest visit, as far as its hits are known here; null when they would have to be read. */
  draft: VisitDraft | null;
  /** What is not in ClickHouse yet. */
  unwritten: Unwritten | null;
  /** Visits from this moment on have to be derived again before anything else is added; infinite when all is well. */
  staleFrom: number;
  /** When the row of `draft` was last written (epoch ms); 0: never. */
  writtenAt: number;
  bytes: number;
};
export type Unwritten = {
  /** The first call whose hits are concerned. */
  readonly since: number;
  readonly drafts: Set<VisitDraft>;
  gone: Tombstone[];
  /** Must not wait: something has not been written at all, or names have changed. */
  urgent: boolean;
};

/** Puts visits derived again, those from `from` on, in the place of what waited to be written. A visit that was to go may be there again. */
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
  /** Notes that an entry was used and may have grown. */
  readonly touch: (key: string, entry: VisitorEntry) => void;
  /** Makes room; entries with something unwritten stay. `before`: visits that ended earlier need not be at hand (epoch ms). */
  readonly trim: (before: number) => Promise<void>;
  readonly drop: (choose: (siteId: string) => boolean) => void;
  readonly entries: () => Iterable<VisitorEntry>;
  /** Bytes in use, and the most that there may be. */
  readonly bytes: () => number;
  readonly capacity: number;
};

/** A quarter of the memory that Node may use, 512 MB at most. */
export const defaultCacheBytes = (): number => Math.min(512 * 1024 * 1024, Math.floor(v8.getHeapStatistics().heap_size_limit / 4));
/** The share of it for visitors as objects; the others are kept as text, which takes a fourth of the room and costs the collector of garbage nothing. */
const openShare = 0.7;
const entryBytes = 500;
/** Packed or unpacked at a time; a millisecond or two. */
export const entriesAtAStretch = 50;

/**
 * Visitors in memory, in order of last use, bounded in bytes: those used last as objects, those before as packed text. Whoever is not here
 * is read from ClickHouse.
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
      // Requests are answered by the same thread.
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

/** Earlier visits that still wait to be written. */
function othersBytes(draft: VisitDraft | null, unwritten: Unwritten | null): number {
  let bytes = 0;
  for (const other of unwritten?.drafts ?? []) if (other !== draft) bytes += draftBytes(other);
  return bytes;
}

/** The text, its key and the place in the map. Texts with letters beyond Latin-1 take two bytes a character. */
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
