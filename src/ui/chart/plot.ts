import { axesOf, pointX } from './geometry';
import type { ChartLine, ChartPoint } from './types';

/** The plotting area of a chart in pixels: its axes, and the space beside it that the axis labels need. */
export type Plot = {
  readonly width: number;
  readonly height: number;
  readonly gutter: { readonly left: number; readonly right: number };
  readonly axes: ReturnType<typeof axesOf>;
  /** The first line on the right axis, which writes its labels. */
  readonly rightLine: ChartLine | undefined;
  /** Room for a label below the axis, including the gap to the next one. */
  readonly tickWidth: number;
  readonly x: (index: number) => number;
};

/** Width of a label at 12 px: Han characters and per cent signs are square, others a little over half as wide. Accurate enough to reserve space. */
const textWidth = (label: string): number => [...label].reduce((sum, mark) => sum + (mark.charCodeAt(0) > 0x2e80 || mark === '%' ? 12 : 7.4), 0);

/** The plotting area within a chart of `width` and `height`; it is never narrower than 40 pixels. */
export const plotOf = (points: readonly ChartPoint[], lines: readonly ChartLine[], { width, height }: { width: number; height: number }): Plot => {
  const plotHeight = height - 36;
  const axes = axesOf(lines, plotHeight);
  const rightLine = lines.find((line) => axes.get(line.id)?.side === 'right');
  const widestTick = (line: ChartLine | undefined): number =>
    line === undefined ? 0 : Math.max(...(axes.get(line.id)?.axis.ticks ?? []).map((tick) => textWidth(line.writeTick(tick))));
  const gutter = { left: widestTick(lines[0]) + 12, right: rightLine === undefined ? 12 : widestTick(rightLine) + 12 };
  const plotWidth = Math.max(40, width - gutter.left - gutter.right);
  return {
    width: plotWidth,
    height: plotHeight,
    gutter,
    axes,
    rightLine,
    // The first and the last label end with the plot, half a label nearer to their neighbours.
    tickWidth: 1.5 * Math.max(28, ...points.map((point) => textWidth(point.tick))) + 8,
    x: (index) => pointX(index, points.length, plotWidth),
  };
};
