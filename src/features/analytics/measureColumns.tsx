import type { MeasureId, Values } from '@contract/analytics/schemas';
import type { ReactElement } from 'react';
import { Delta } from '@/ui/Delta';
import type { Column } from '@/ui/tableColumns';
import { measureInfo } from './measures';
import type { Words } from './useWords';

/** One column per measure: value, difference to the comparison, definition on the header, total of the range. */
export const measureColumns = <R,>({
  words,
  shown,
  more,
  totals,
  of,
  before,
  differences,
  open,
}: {
  words: Words;
  shown: readonly MeasureId[];
  more: readonly MeasureId[];
  totals: Values;
  of: (row: R) => Values;
  before: (row: R) => Values | null;
  /** The measures whose differences are shown; all of them at once would drown the figures. */
  differences: readonly MeasureId[];
  /** Still growing: no difference is said. */
  open?: (row: R) => boolean;
}): Column<R>[] =>
  [...shown, ...more].map((id) => ({
    id,
    name: words.measure(id),
    hint: words.t(`measure.${id}.text`),
    numeric: true,
    figure: true,
    sortable: true,
    ...(shown.includes(id) ? {} : { extra: true }),
    value: (row) => of(row)[id],
    total: words.value(id, totals[id]),
    cell: (row): ReactElement => {
      const was = differences.includes(id) ? before(row) : null;
      return (
        <>
          {was !== null && open?.(row) !== true && (
            <span style={{ fontSize: 12, marginRight: 8 }}>
              <Delta
                now={of(row)[id]}
                before={was[id]}
                better={measureInfo(id).better}
                sample={Math.min(of(row).visits ?? 0, was.visits ?? 0)}
                hint={`${words.value(id, of(row)[id])} / ${words.value(id, was[id])}`}
              />
            </span>
          )}
          {words.value(id, of(row)[id])}
        </>
      );
    },
  }));
