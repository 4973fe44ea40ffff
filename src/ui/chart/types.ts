import type { TickUnit } from './ticks';

/** One measure over the points of a chart; a null is a gap (not known, or not yet). */
export type ChartLine = {
  readonly id: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The same measure in the comparison period, met by position; it may be longer or shorter. */
  readonly compare?: readonly (number | null)[] | undefined;
  readonly unit: TickUnit;
  /** The exact value in words, for the reading line, the table and the screen reader. */
  readonly write: (value: number | null) => string;
  /** The short form on the axis. */
  readonly writeTick: (value: number) => string;
};

export type ChartPoint = {
  /** Full name, `11-20 周五 08:00`. */
  readonly name: string;
  /** Short form below the axis. */
  readonly tick: string;
  /** Name of the point of the comparison period at the same position. */
  readonly compareName?: string | undefined;
  /** Not over yet: drawn dashed. */
  readonly open: boolean;
};

/** Something that happened at a point; shown as a small flag with its words. */
export type ChartNote = { readonly index: number; readonly text: string };
