/** Longer arguments are somebody's attempt to fill the memory. */
const longestKey = 8000;

/** Remembers the answers of a pure function for the `size` most recently asked arguments; very long ones are answered and forgotten. */
export const remember = <T>(size: number, answer: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    if (key.length > longestKey) return answer(key);
    let value = known.get(key);
    if (value === undefined) value = answer(key);
    else known.delete(key);
    known.set(key, value);
    if (known.size > size) known.delete(known.keys().next().value as string);
    return value;
  };
};
