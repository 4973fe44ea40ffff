import type { MeasureId, Values } from '@contract/analytics';
import type { ReactElement } from 'react';
import { Delta } from '@/ui/Delta';
import type { Column } from '@/ui/tableColumns';
import { measureInfo } from './measures';
import type { Words } from './useWords';

/** One column per measure: value, difference to the comparison, definition on the header, total of the range. */
export const measureColumns = <R,>({ words, shown, more, totals, of, before, open, share }: {
  words: Words;
  shown: readonly MeasureId[];
  more: readonly MeasureId[];
  totals: Values;
  of: (row: R) => Values;
  before: (row: R) => Values | null;
  /** Still growing: no difference is said. */
  open?: (row: R) => boolean;
  /** The measure whose share of the total is drawn, and the share of a row. */
  share?: { readonly id: MeasureId; readonly of: (row: R) => number | null };
}): Column<R>[] => [...shown, ...more].map((id) => ({
  id,
  name: words.measure(id),
  hint: words.t(`measure.${id}.text`),
  numeric: true,
  sortable: true,
  ...(shown.includes(id) ? {} : { extra: true }),
  value: (row) => of(row)[id],
  total: words.value(id, totals[id]),
  ...(share?.id === id ? { share: share.of } : {}),
  cell: (row): ReactElement => {
    const was = before(row);
    return (
      <>
        {was !== null && open?.(row) !== true && <span style={{ fontSize: 12, marginRight: 8 }}><Delta now={of(row)[id]} before={was[id]} better={measureInfo(id).better} sample={Math.min(of(row).visits ?? 0, was.visits ?? 0)} hint={`${words.value(id, of(row)[id])} / ${words.value(id, was[id])}`} /></span>}
        {words.value(id, of(row)[id])}
      </>
    );
  },
}));
