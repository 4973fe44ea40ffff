import type { ReactElement, ReactNode } from 'react';
import { type QueryResult, ResultState } from '../ResultState';
import { RowsSkeleton } from '../skeletons';

/** The rows of a query with the states of every list: a skeleton, an error with a retry, and `empty` for no rows. */
export const ListContent = <T, R>({
  result,
  rowsOf,
  empty,
  skeletonRows = 8,
  children,
}: {
  result: QueryResult<T>;
  /** The rows of a result, which may be the result itself. */
  rowsOf: (data: T) => readonly R[];
  /** Why there are no rows, and what to do: an `EmptyState`, or a `NoMatch` with filters. */
  empty: ReactNode;
  /** Rows of the skeleton: about as many as are expected. */
  skeletonRows?: number;
  children: (rows: readonly R[], data: T) => ReactNode;
}): ReactElement => (
  <ResultState result={result} skeleton={<RowsSkeleton rows={skeletonRows} />}>
    {(data) => {
      const rows = rowsOf(data);
      return rows.length === 0 ? empty : children(rows, data);
    }}
  </ResultState>
);
