import { Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import type { QueryResult } from '@/ui/ResultState';

type Row = { readonly id: string };
type Props<R extends Row> = {
  readonly result: QueryResult<R[]>;
  readonly texts: { readonly label: string; readonly lead: string; readonly add: string; readonly none: string; readonly noneText: string };
  /** Null for readers who may not add one. */
  readonly onAdd: (() => void) | null;
  readonly remove: (row: R) => PromiseLike<{ readonly error?: unknown }>;
  /** Offers to undo a removal. */
  readonly onRemoved: (row: R) => void;
  readonly children: (row: R, removeIt: () => void) => ReactNode;
};

/** A tab with a list of things that are added and removed. */
export function ItemsTab<R extends Row>({ result, texts, onAdd, remove, onRemoved, children }: Props<R>): ReactElement {
  const dispatch = useAppDispatch();
  const removeIt = async (row: R): Promise<void> => {
    const { error } = await remove(row);
    if (error === undefined) onRemoved(row);
    else notifyFailure(dispatch, error);
  };
  const add = onAdd && (
    <Button variant="outlined" onClick={onAdd}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <div className="support-tools">
        <p className="support-quiet">{texts.lead}</p>
        {result.currentData !== undefined && result.currentData.length > 0 && add}
      </div>
      <ListContent
        result={result}
        rowsOf={(rows) => rows}
        empty={
          <EmptyState ghost="rows" title={texts.none} action={add}>
            {texts.noneText}
          </EmptyState>
        }
      >
        {(rows) => (
          <RowList label={texts.label}>
            {rows.map((row) => (
              <li key={row.id} className="support-item">
                {children(row, () => void removeIt(row))}
              </li>
            ))}
          </RowList>
        )}
      </ListContent>
    </>
  );
}
