/** Remembers the answers of a pure function for the `size` most recently asked arguments. */
export const remember = <T>(size: number, answer: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) value = answer(key);
    else known.delete(key);
    known.set(key, value);
    if (known.size > size) known.delete(known.keys().next().value as string);
    return value;
  };
};
