import type { MeasureId, Values } from '@contract/analytics/schemas';
import type { ReactElement } from 'react';
import { Delta } from '@/ui/Delta';
import type { Column } from '@/ui/tableColumns';
import { measureInfo } from './measures';
import type { Labels } from './useLabels';

/** One column per measure: value, difference from the comparison, definition on the header, total of the range. */
export const measureColumns = <R,>({
  labels,
  measures,
  more,
  totals,
  of,
  before,
  differences,
  open,
}: {
  labels: Labels;
  measures: readonly MeasureId[];
  more: readonly MeasureId[];
  totals: Values;
  of: (row: R) => Values;
  before: (row: R) => Values | null;
  /** The measures whose differences are shown; showing all of them would clutter the table. */
  differences: readonly MeasureId[];
  /** Still growing: no difference is shown. */
  open?: (row: R) => boolean;
}): Column<R>[] =>
  [...measures, ...more].map((id) => ({
    id,
    name: labels.measure(id),
    hint: labels.t(`measure.${id}.text`),
    numeric: true,
    figure: true,
    sortable: true,
    ...(measures.includes(id) ? {} : { extra: true }),
    value: (row) => of(row)[id],
    total: labels.value(id, totals[id]),
    cell: (row): ReactElement => {
      const was = differences.includes(id) ? before(row) : null;
      return (
        <>
          {was !== null && open?.(row) !== true && (
            <span style={{ fontSize: 'var(--text-secondary)', marginRight: 8 }}>
              <Delta
                now={of(row)[id]}
                before={was[id]}
                better={measureInfo(id).better}
                sample={Math.min(of(row).visits ?? 0, was.visits ?? 0)}
                hint={`${labels.value(id, of(row)[id])} / ${labels.value(id, was[id])}`}
              />
            </span>
          )}
          {labels.value(id, of(row)[id])}
        </>
      );
    },
  }));
