import { type Fields, readSearch, type StateOf, useSearchState } from './searchState';
import { useTyped } from './useTyped';

/** Place in a list of pages, the first of which is 1. */
export type Paging = { readonly page: number; readonly size: number; readonly onPage: (page: number) => void; readonly onSize: (size: number) => void };

type ListState = { readonly q?: string; readonly page?: number; readonly size?: number };

const sameFilter = (a: unknown, b: unknown): boolean => (typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : a === b);

/**
 * A list whose search text (`q`), filters and page (`page`, `size`) are in the address, as far as `fields` has them. `filters`: the fields that hide
 * rows. A changed filter leads to the first page; the search text in the address follows the typed one with a delay.
 */
export function useListAddress<F extends Fields>(fields: F, filters: readonly (keyof F & string)[] = []) {
  const [state, change] = useSearchState(fields);
  const { q = '', page = 1, size = 1 } = state as ListState;
  // `writeSearch` ignores what the address does not have, such as the page of a list without pages.
  const filter = (values: object, how: 'push' | 'replace' = 'push'): void => change({ ...values, page: 1 } as unknown as Partial<StateOf<F>>, how);
  const [typed, setTyped] = useTyped(q, (next) => filter({ q: next }, 'replace'));
  const unfiltered = readSearch(fields, new URLSearchParams());
  const paging: Paging = {
    page,
    size,
    onPage: (next) => change({ page: next } as unknown as Partial<StateOf<F>>),
    onSize: (next) => filter({ size: next }),
  };
  return {
    state,
    change,
    filter: (values: Partial<StateOf<F>>): void => filter(values),
    search: { value: typed, onChange: setTyped },
    paging,
    isFiltered: filters.some((name) => !sameFilter(state[name], unfiltered[name])),
    clear: (): void => {
      setTyped('');
      filter(Object.fromEntries(filters.map((name) => [name, unfiltered[name]])));
    },
  };
}
