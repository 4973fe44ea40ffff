import { createHmac, createSecretKey } from 'node:crypto';
import type { Secrets } from '../../secrets';

export type Naming = {
  /** Keyed hash of its parts as an id of a hit: 16 hex digits. The same parts give the same id as long as the installation keeps its key. */
  readonly id: (...parts: readonly (string | number)[]) => string;
};

/** The key of all names, in base64url: names of imported visitors and views must not change from day to day, as the collector's do, or a second import would double. */
export const namingKey = (secrets: Secrets): string => secrets.mac('imports', 'names of visitors and views');

export const openNaming = (secrets: Secrets): Naming => createNaming(namingKey(secrets));

/** `base64url`: what `namingKey` answers. */
export function createNaming(base64url: string): Naming {
  const key = createSecretKey(base64url, 'base64url');
  return {
    id: (...parts) => {
      const id = createHmac('sha256', key).update(parts.join('\n')).digest('hex').slice(0, 16);
      // Zero means "nobody" (server/collect/row.ts).
      return id === '0000000000000000' ? '0000000000000001' : id;
    },
  };
}

/** Seconds whose lines are remembered; a log is nearly in order. */
const remembered = 300;
/** Characters of remembered lines; beyond it the oldest second is forgotten, so that a log of one endless second stays within memory. */
const mostCharacters = 64 * 2 ** 20;

/**
 * Numbers equal lines of one second within one file, from 1: two people behind one address may ask for the same page in the same second,
 * and the same file read again gives the same numbers. `from` is the place from where all remembered lines must be read again to go on
 * counting after a stop.
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

/** A place in the uncompressed content of a file, and the number of lines before it. */
export type Place = { readonly offset: number; readonly line: number };
