import { canonicalLanguage } from '@contract/languages';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

/** How one value is written in the address: unknown text reads as the default, and the default is omitted. */
export type Field<T> = { readonly read: (values: readonly string[]) => T; readonly write: (value: T) => readonly string[] };
/** A field of any type. */
type AnyField = { readonly read: (values: readonly string[]) => unknown; readonly write: (value: never) => readonly string[] };
export type Fields = Readonly<Record<string, AnyField>>;
export type StateOf<F> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export const text = (otherwise = '', max = 200): Field<string> => ({
  read: ([value]) => (value ?? otherwise).slice(0, max),
  write: (value) => (value === otherwise ? [] : [value]),
});

/** Tag of a language; an old address may use another name of it. */
export const language = (): Field<string> => {
  const { read, write } = text('', 40);
  return { read: (values) => canonicalLanguage(read(values)), write };
};

export const oneOf = <const T extends string>(allowed: readonly T[], otherwise: NoInfer<T>): Field<T> => ({
  read: ([value]) => allowed.find((one) => one === value) ?? otherwise,
  write: (value) => (value === otherwise ? [] : [value]),
});

export const whole = (otherwise: number, min = 1, max = 1_000_000): Field<number> => ({
  read: ([value]) => {
    const n = Number(value);
    return value !== undefined && value !== '' && Number.isInteger(n) && n >= min && n <= max ? n : otherwise;
  },
  write: (value) => (value === otherwise ? [] : [String(value)]),
});

export const flag = (): Field<boolean> => ({ read: ([value]) => value === '1', write: (value) => (value ? ['1'] : []) });

export const list = (max = 50): Field<readonly string[]> => ({ read: (values) => values.slice(0, max), write: (value) => value });

export const readSearch = <F extends Fields>(fields: F, params: URLSearchParams): StateOf<F> =>
  Object.fromEntries(
    Object.entries<Field<unknown>>(fields as unknown as Record<string, Field<unknown>>).map(([name, field]) => [name, field.read(params.getAll(name))]),
  ) as StateOf<F>;

/** The address after a change: other parameters are preserved in their order. */
export function writeSearch<F extends Fields>(fields: F, params: URLSearchParams, change: Partial<StateOf<F>>): URLSearchParams {
  const out = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    const field = (fields as unknown as Record<string, Field<unknown>>)[name];
    if (!field) continue;
    out.delete(name);
    for (const one of field.write(value)) out.append(name, one);
  }
  return out;
}

/**
 * State stored in the address. Use `change(…, 'replace')` while typing, `'push'` for a choice that "back" should undo. `fields` must be created once,
 * outside the component.
 */
export function useSearchState<F extends Fields>(fields: F): [StateOf<F>, (change: Partial<StateOf<F>>, how?: 'push' | 'replace') => void] {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readSearch(fields, params), [fields, params]);
  const change = useCallback(
    (values: Partial<StateOf<F>>, how: 'push' | 'replace' = 'push') =>
      setParams((before) => writeSearch(fields, before, values), { replace: how === 'replace', preventScrollReset: true }),
    [fields, setParams],
  );
  return [state, change];
}
