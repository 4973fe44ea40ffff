type Scalar = string | number | boolean | Date | null | undefined;
/** Values of a query string. Objects are a type error on purpose: there is no standard way to serialize them. */
export type QueryParams = Readonly<Record<string, Scalar | readonly Scalar[]>>;

const written = (value: Scalar): string | undefined => {
  if (value === null || value === undefined || value === '') return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : String(value.getTime());
  return String(value);
};

/**
 * The specification's section 7: empty and null values are skipped (inside arrays too), arrays repeat the key, dates become millisecond timestamps;
 * `0` and `false` are values. The result has no leading `?`.
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
