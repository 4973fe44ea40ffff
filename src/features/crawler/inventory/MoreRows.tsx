import { Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListContent } from '@/ui/list/ListContent';
import type { QueryResult } from '@/ui/ResultState';

type Pages<R> = { readonly pages: readonly { readonly rows: readonly R[] }[] };
type InfiniteResult<R> = QueryResult<Pages<R>> & {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
};

/** A list that is read part by part, with a button below it for the next one. */
export const MoreRows = <R,>({
  result,
  empty,
  children,
}: {
  readonly result: InfiniteResult<R>;
  readonly empty: ReactNode;
  readonly children: (rows: readonly R[]) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('inventory');
  return (
    <ListContent result={result} rowsOf={({ pages }) => pages.flatMap(({ rows }) => rows)} empty={empty}>
      {(rows) => (
        <>
          {children(rows)}
          {result.hasNextPage && (
            <div className="inventory-more">
              <Button variant="outlined" aria-busy={result.isFetchingNextPage} disabled={result.isFetchingNextPage} onClick={() => void result.fetchNextPage()}>
                {t(result.isFetchingNextPage ? 'list.loading' : 'list.more')}
              </Button>
            </div>
          )}
        </>
      )}
    </ListContent>
  );
};
