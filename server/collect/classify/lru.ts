/** Longer arguments are somebody's attempt to fill the memory. */
const longestKey = 4000;
/** Characters of arguments that one of the `size` answers may take on average. */
const charactersPerKey = 400;

/**
 * Remembers the answers of a pure function for the arguments asked most recently: at most `size` of them, and at most 400 characters of argument for
 * each of the `size`. Very long arguments are answered and forgotten.
 *
 * Two generations: what is asked stands in the younger one; when that is half full it becomes the older, and the older is dropped as a whole. So
 * remembering costs the same however full the memory is (in a `Map` that is emptied from the front, finding the front does not).
 */
export const remember = <T>(size: number, answer: (key: string) => T): ((key: string) => T) => {
  const mostKeys = Math.max(1, Math.floor(size / 2));
  const mostCharacters = mostKeys * charactersPerKey;
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let characters = 0;
  return (key) => {
    const recent = young.get(key);
    if (recent !== undefined) return recent;
    const value = old.get(key) ?? answer(key);
    if (key.length > longestKey) return value;
    if (young.size >= mostKeys || characters + key.length > mostCharacters) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(key, value);
    characters += key.length;
    return value;
  };
};
