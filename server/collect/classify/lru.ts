/** Longer keys are somebody's attempt to fill the memory. */
const longestKey = 4000;
/** Characters that one of the `size` keys may take on average. */
const charactersPerKey = 400;

export type RecentMap<T> = {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T) => void;
};

/**
 * Keeps the values of the keys that were used most recently: at most `size` of them, and at most 400 characters of key for each of the `size`. The latest
 * half of `size` is always there as long as keys are no longer than that on average. Very long keys are not kept.
 *
 * Two generations: what is used stands in the younger one; when that is half full it becomes the older, and the older is dropped as a whole. So keeping a
 * value costs the same however many there are. A `Map` that is emptied from the front gets slower: finding the front walks past the deleted entries.
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

/** Remembers the answers of a pure function for the arguments asked most recently (`createRecentMap`). */
export function remember<T>(size: number, compute: (key: string) => T): (key: string) => T {
  const known = createRecentMap<T>(size);
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
