import type { MeasureId, Values } from '@contract/analytics/schemas';
import { Delta } from '@/ui/Delta';
import type { Column } from '@/ui/tableColumns';
import { measureInfo } from './measures';
import type { Labels } from './useLabels';

/** A value in its column. Per cents have their unit in the head. */
export const columnValue = ({ format, value }: Labels, id: MeasureId, amount: number | null): string =>
  measureInfo(id).unit === 'ratio' && amount !== null ? format.decimal(amount * 100, 1) : value(id, amount);

const muted = { color: 'var(--ink-2)' } as const;

type MeasureColumns<R> = {
  readonly labels: Labels;
  readonly measures: readonly MeasureId[];
  readonly more: readonly MeasureId[];
  readonly totals: Values;
  /** Of the comparison; null without one. */
  readonly totalsBefore: Values | null;
  readonly of: (row: R) => Values;
  readonly before: (row: R) => Values | null;
  /** The measures with a column for the difference; columns for all of them would clutter the table. None without a comparison. */
  readonly differences: readonly MeasureId[];
  /** Off in narrow tables: a column for the value of the comparison. */
  readonly previous?: boolean;
  /** Still growing: no difference is shown. */
  readonly open?: (row: R) => boolean;
};

/** Width of a difference in px: fits `>+999%`. */
export const changeWidth = 56;

/** The value in the comparison and the difference from it, which belong to the column of a measure. */
function comparisonColumns<R>(id: MeasureId, { labels, totals, totalsBefore, of, before, previous = true, open }: MeasureColumns<R>): Column<R>[] {
  const { t } = labels;
  const name = labels.measure(id);
  const change = (now: Values, was: Values) => (
    <Delta
      now={now[id]}
      before={was[id]}
      better={measureInfo(id).better}
      sample={Math.min(now.visits ?? 0, was.visits ?? 0)}
      hint={`${labels.value(id, now[id])} / ${labels.value(id, was[id])}`}
    />
  );
  const earlier = (row: R): Values | null => (open?.(row) === true ? null : before(row));
  const value: Column<R> = {
    id: `${id}.before`,
    of: id,
    name: t('column.before'),
    hint: t('column.beforeHint', { name }),
    numeric: true,
    total: totalsBefore && <span style={muted}>{columnValue(labels, id, totalsBefore[id])}</span>,
    cell: (row) => {
      const was = earlier(row);
      return was && <span style={muted}>{columnValue(labels, id, was[id])}</span>;
    },
  };
  const difference: Column<R> = {
    id: `${id}.change`,
    of: id,
    name: t('column.change'),
    hint: t('column.changeHint', { name }),
    numeric: true,
    width: changeWidth,
    total: totalsBefore && change(totals, totalsBefore),
    cell: (row) => {
      const was = earlier(row);
      return was && change(of(row), was);
    },
  };
  return previous ? [value, difference] : [difference];
}

/**
 * A column per measure, with its definition on the header and the total of the range; beside those of `differences` the value of the comparison and the
 * difference.
 */
export const measureColumns = <R,>(options: MeasureColumns<R>): Column<R>[] => {
  const { labels, measures, more, totals, of, differences } = options;
  return [...measures, ...more].flatMap((id): Column<R>[] => [
    {
      id,
      name: measureInfo(id).unit === 'ratio' ? labels.t('column.percent', { name: labels.measure(id) }) : labels.measure(id),
      hint: labels.t(`measure.${id}.text`),
      numeric: true,
      figure: true,
      sortable: true,
      ...(measures.includes(id) ? {} : { extra: true }),
      value: (row) => of(row)[id],
      total: columnValue(labels, id, totals[id]),
      cell: (row) => columnValue(labels, id, of(row)[id]),
    },
    ...(differences.includes(id) ? comparisonColumns(id, options) : []),
  ]);
};
