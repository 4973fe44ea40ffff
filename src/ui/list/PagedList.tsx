import { Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Paging } from '@/lib/useListAddress';
import type { QueryResult } from '../ResultState';
import { EmptyState } from '../EmptyState';
import { Pager } from '../Pager';
import { ListContent } from './ListContent';

type Page = { readonly rows: readonly unknown[]; readonly total: number };

const pageSizes = [20, 50, 100] as const;

/** A list that the server returns page by page, with a pager below it. A page past the end offers the first one. */
export const PagedList = <T extends Page>({
  result,
  paging,
  empty,
  skeletonRows,
  children,
}: {
  result: QueryResult<T>;
  paging: Paging;
  /** Why the first page has no rows. */
  empty: ReactNode;
  skeletonRows?: number;
  children: (rows: T['rows'], data: T) => ReactNode;
}): ReactElement => {
  const { t } = useTranslation('chart');
  const { page, size, onPage, onSize } = paging;
  const pastEnd = (
    <EmptyState
      kind="noMatch"
      title={t('list.pastEnd')}
      action={
        <Button variant="outlined" onClick={() => onPage(1)}>
          {t('list.firstPage')}
        </Button>
      }
    />
  );
  return (
    <ListContent<T, T['rows'][number]>
      result={result}
      rowsOf={(data) => data.rows}
      empty={page > 1 ? pastEnd : empty}
      {...(skeletonRows === undefined ? {} : { skeletonRows })}
    >
      {(rows, data) => (
        <>
          {children(rows, data)}
          <Pager page={page} size={size} count={data.total} sizes={pageSizes} onPage={onPage} onSize={onSize} />
        </>
      )}
    </ListContent>
  );
};
