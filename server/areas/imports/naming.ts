import { createHmac, createSecretKey } from 'node:crypto';
import type { Secrets } from '../../secrets';

export type Naming = {
  /** The id of a hit, a keyed hash of the parts: 16 hex digits. The same parts always give the same id while the installation keeps its key. */
  readonly id: (...parts: readonly (string | number)[]) => string;
};

/**
 * The key of all ids, in base64url. Ids of imported visitors and views must not change daily, as the collector's do, because a second import would then create
 * duplicates.
 */
export const namingKey = (secrets: Secrets): string => secrets.mac('imports', 'names of visitors and views');

export const openNaming = (secrets: Secrets): Naming => createNaming(namingKey(secrets));

/** `base64url`: the result of `namingKey`. */
export function createNaming(base64url: string): Naming {
  const key = createSecretKey(base64url, 'base64url');
  return {
    id: (...parts) => {
      const id = createHmac('sha256', key).update(parts.join('\n')).digest('hex').slice(0, 16);
      // Zero is reserved (server/collect/row.ts).
      return id === '0000000000000000' ? '0000000000000001' : id;
    },
  };
}

/** Number of seconds whose lines are remembered; a log is nearly in order. */
const remembered = 300;
/** Maximum characters of remembered lines; above it the oldest second is dropped, so that a log with a single timestamp does not exhaust memory. */
const mostCharacters = 64 * 2 ** 20;

/**
 * Numbers equal lines of one second within one file, from 1: two visitors behind one address may request the same page in the same second, and reading the same
 * file again gives the same numbers. `from` is the position from which lines must be read again to continue counting after an interruption.
 */
export function createCounter(most = mostCharacters): {
  readonly next: (second: number, line: string, place: Place) => number;
  readonly from: (now: Place) => Place;
} {
  const seconds = new Map<number, { readonly lines: Map<string, number>; readonly begun: Place; characters: number }>();
  let rememberedCharacters = 0;
  const forgetOldest = (): void => {
    const [oldest] = seconds;
    if (oldest === undefined) return;
    rememberedCharacters -= oldest[1].characters;
    seconds.delete(oldest[0]);
  };
  return {
    next(second, line, place) {
      let entry = seconds.get(second);
      if (entry === undefined) entry = { lines: new Map(), begun: place, characters: 0 };
      else seconds.delete(second);
      seconds.set(second, entry);
      if (seconds.size > remembered) forgetOldest();
      const n = (entry.lines.get(line) ?? 0) + 1;
      entry.lines.set(line, n);
      if (n === 1) {
        entry.characters += line.length;
        rememberedCharacters += line.length;
      }
      while (rememberedCharacters > most) forgetOldest();
      return n;
    },
    from: (now) => [...seconds.values()].reduce((first, { begun }) => (begun.offset < first.offset ? begun : first), now),
  };
}

/** A position in the uncompressed content of a file, and the number of lines before it. */
export type Place = { readonly offset: number; readonly line: number };
