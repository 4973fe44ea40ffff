import { Box, Button, Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueryResult } from '../ResultState';
import { ListContent } from './ListContent';

type Pages<R> = { readonly pages: readonly { readonly rows: readonly R[] }[] };
/** Result of an infinite query hook. */
type InfiniteResult<R> = QueryResult<Pages<R>> & {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
};

/** A list, newest first, with a button below it that loads older entries, or a note that there are none. */
export const InfiniteList = <R,>({
  result,
  empty,
  skeletonRows = 8,
  children,
}: {
  result: InfiniteResult<R>;
  empty: ReactNode;
  skeletonRows?: number;
  children: (rows: readonly R[]) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('chart');
  return (
    <ListContent result={result} rowsOf={({ pages }) => pages.flatMap((page) => page.rows)} empty={empty} skeletonRows={skeletonRows}>
      {(rows) => (
        <>
          {children(rows)}
          <Box sx={{ mt: 2, textAlign: 'center' }}>
            {result.hasNextPage ? (
              <Button variant="outlined" aria-busy={result.isFetchingNextPage} onClick={() => result.fetchNextPage()}>
                {t(result.isFetchingNextPage ? 'list.loadingOlder' : 'list.older')}
              </Button>
            ) : (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                {t('list.end')}
              </Typography>
            )}
          </Box>
        </>
      )}
    </ListContent>
  );
};
