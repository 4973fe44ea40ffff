type Scalar = string | number | boolean | Date | null | undefined;
/** What a query string can be made from. Objects are a type error on purpose: nobody agrees how they are written. */
export type QueryParams = Readonly<Record<string, Scalar | readonly Scalar[]>>;

const written = (value: Scalar): string | undefined => {
  if (value === null || value === undefined || value === '') return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : String(value.getTime());
  return String(value);
};

/**
 * The specification's section 7: empty and null values are skipped (inside arrays too), arrays repeat the key, dates become
 * millisecond timestamps; `0` and `false` are values. Without a leading `?`.
 */
export function queryString(params: QueryParams): string {
  const out = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? (value as readonly Scalar[]) : [value as Scalar]) {
      const text = written(one);
      if (text !== undefined) out.append(key, text);
    }
  }
  return out.toString();
}
