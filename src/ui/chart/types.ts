import type { TickUnit } from './ticks';

/** One measure over the points of a chart; null is a gap (unknown or still to come). */
export type ChartLine = {
  readonly id: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The same measure in the comparison period, matched by position; it may be longer or shorter. */
  readonly compare?: readonly (number | null)[] | undefined;
  /** Name of the comparison, `yesterday`; absent: the period before. */
  readonly compareLabel?: string | undefined;
  /** Where the unfinished point is expected to end. */
  readonly forecast?: { readonly low: number; readonly high: number } | undefined;
  readonly unit: TickUnit;
  /** The exact value as text, for the reading line, the table and screen readers. */
  readonly write: (value: number | null) => string;
  /** The short form on the axis. */
  readonly writeTick: (value: number) => string;
};

export type ChartPoint = {
  /** Full name, `11-20 周五 08:00`. */
  readonly name: string;
  /** Short form below the axis. */
  readonly tick: string;
  /** Name of the point at the same position of the comparison period. */
  readonly compareName?: string | undefined;
  /** Still in progress: drawn dashed and hatched. */
  readonly open: boolean;
};

/** An annotation at a point; shown as a small flag with its text. */
export type ChartNote = { readonly index: number; readonly text: string };
