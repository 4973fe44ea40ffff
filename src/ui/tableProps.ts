import type { ReactNode } from 'react';
import type { Column, Sort } from './tableColumns';

/** A figure was activated; `row` is null for the total. */
export type ExplainFigure<R> = (figure: { readonly row: R | null; readonly column: string; readonly anchor: HTMLElement }) => void;

export type DataTableProps<R> = {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string;
  readonly sort?: readonly Sort[];
  /** Absent: the table sorts its own rows. */
  readonly onSort?: (sort: readonly Sort[]) => void;
  /** Shift-click adds a column to the sort order; off if the server sorts by one column only. */
  readonly multiSort?: boolean;
  /** A click or Enter on a row. */
  readonly onRow?: (row: R) => void;
  readonly rowHint?: (row: R) => string;
  readonly onFigure?: ExplainFigure<R>;
  /** Describes what a click on a figure does. */
  readonly figureHint?: string;
  /** Shown at the end of the first cell on hover and on focus. */
  readonly actions?: (row: R) => ReactNode;
  /** Content of an expanded row; makes rows expandable. */
  readonly detail?: (row: R) => ReactNode;
  readonly totalLabel?: string;
  readonly dense?: boolean;
  /** Storage key of the column choice; absent: columns cannot be chosen. */
  readonly remember?: string;
  /** The columns shown, if they are stored elsewhere (in the address); null: the table's default. Only with `onChoose`. */
  readonly chosen?: readonly string[] | null;
  readonly onChoose?: (ids: readonly string[] | null) => void;
  /** Shares the highlighted row with a chart beside the table; `of` returns the chart point of a row. */
  readonly rowReading?: { readonly of: (row: R) => number; readonly index: number | null; readonly set: (index: number | null) => void };
  readonly empty?: ReactNode;
  readonly fresh?: ReadonlySet<string>;
};
