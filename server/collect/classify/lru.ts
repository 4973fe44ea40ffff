/** Longer keys are an attempt to exhaust memory. */
const longestKey = 4000;
/** Average number of characters allowed per key. */
const charactersPerKey = 400;

export type RecentMap<T> = {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
};

/**
 * A cache of the most recently used keys: at most `size` of them, and at most 400 characters of key for each of the `size`. The latest half of `size` is always
 * present while keys are not longer than that on average. Very long keys are not cached.
 *
 * Two generations: used keys are in the younger one; when that is half full it becomes the older one, and the previous older one is dropped as a whole. The
 * cost of adding a key is therefore independent of the size. A `Map` from which the first entries are deleted gets slower, because finding the first entry
 * walks past the deleted ones.
 */
export function createRecentMap<T>(size: number): RecentMap<T> {
  const mostKeys = Math.max(1, Math.floor(size / 2));
  const mostCharacters = mostKeys * charactersPerKey;
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let characters = 0;

  function set(key: string, value: T): void {
    if (key.length > longestKey) return;
    if (young.size >= mostKeys || characters + key.length > mostCharacters) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(key, value);
    characters += key.length;
  }
  return {
    get(key) {
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const value = old.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
  };
}

/** Caches the results of a pure function for the most recently used arguments (`createRecentMap`). */
export function remember<T>(size: number, compute: (key: string) => T): (key: string) => T {
  const known = createRecentMap<T>(size);
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
