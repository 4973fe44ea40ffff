/** Equal as JSON: sufficient for form values. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Fields that both sides changed since `base` to different values. If empty, the changes can be merged. */
export function conflicts<T extends object>(base: T, mine: T, theirs: T): (keyof T)[] {
  return (Object.keys(base) as (keyof T)[]).filter((key) => !same(theirs[key], base[key]) && !same(mine[key], base[key]) && !same(mine[key], theirs[key]));
}

/** The fields of `mine` that differ from `base`: the body of a PATCH. */
export function changes<T extends object>(base: T, mine: T): Partial<T> {
  return Object.fromEntries(Object.entries(mine).filter(([key, value]) => !same(value, base[key as keyof T]))) as Partial<T>;
}
