/** Longer arguments are somebody's attempt to fill the memory. */
const longestKey = 8000;

/**
 * Remembers the answers of a pure function for the most recently asked arguments, at least half of `size` of them and never more than `size`; very
 * long ones are answered and forgotten. Two generations instead of one list in order of use: a `Map` out of which the oldest entry is taken
 * for each new one has to step over everything that was deleted before it.
 */
export const remember = <T>(size: number, answer: (key: string) => T): ((key: string) => T) => {
  const half = Math.max(1, Math.floor(size / 2));
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (key) => {
    if (key.length > longestKey) return answer(key);
    const known = young.get(key);
    if (known !== undefined) return known;
    const value = old.get(key) ?? answer(key);
    if (young.size >= half) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
};
