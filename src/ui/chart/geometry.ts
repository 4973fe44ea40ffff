import { scaleLinear } from '@visx/scale';
import { axisTicks } from './ticks';
import type { ChartLine } from './types';

export type LinePoint = { readonly index: number; readonly value: number };
/** A segment of a line drawn in one stroke: consecutive values without a gap. */
export type LineSegment = { readonly spots: readonly LinePoint[]; readonly dashed: boolean };

/**
 * Splits a line at missing values. The step to the unfinished point is a segment of its own, drawn dashed, because half a day beside whole days looks
 * like a fall.
 */
export const lineSegments = (values: readonly (number | null)[], openIndex: number | null): readonly LineSegment[] => {
  const found: LineSegment[] = [];
  let spots: LinePoint[] = [];
  const close = (): void => {
    if (spots.length > 0) found.push({ spots, dashed: false });
    spots = [];
  };
  values.forEach((value, index) => {
    if (value === null) {
      close();
      return;
    }
    const spot = { index, value };
    if (index !== openIndex) {
      spots.push(spot);
      return;
    }
    const before = spots[spots.length - 1];
    close();
    found.push({ spots: before === undefined ? [spot] : [before, spot], dashed: true });
  });
  close();
  return found;
};

export type Axis = { readonly ticks: readonly number[]; readonly y: (value: number) => number };

const axisFor = (ticks: readonly number[], height: number): Axis => {
  const scale = scaleLinear<number>({ domain: [ticks[0] as number, ticks[ticks.length - 1] as number], range: [height, 0] });
  return { ticks, y: (value) => scale(value) };
};
const ticksOf = (lines: readonly ChartLine[], steps?: number): readonly number[] =>
  axisTicks(
    lines.flatMap((line) => [...line.values, ...(line.compare ?? []), line.forecast?.high ?? null]),
    lines[0]?.unit ?? 'count',
    steps,
    steps !== undefined,
  );

/**
 * Vertical axes in pixels (top is 0). Lines of the same unit share one; others use the right axis, with as many steps as the left, so that one grid
 * serves both.
 */
export const axesOf = (lines: readonly ChartLine[], height: number): ReadonlyMap<string, { readonly axis: Axis; readonly side: 'left' | 'right' }> => {
  const left = lines.filter((line) => line.unit === lines[0]?.unit);
  const right = lines.filter((line) => !left.includes(line));
  const ownTicks = ticksOf(left);
  // 100 % in three steps gives no round values, in four it does.
  const leftTicks = right[0]?.unit === 'ratio' && ownTicks.length === 4 ? ticksOf(left, 4) : ownTicks;
  const leftAxis = axisFor(leftTicks, height);
  const rightAxis = axisFor(ticksOf(right, leftTicks.length - 1), height);
  return new Map(lines.map((line) => [line.id, left.includes(line) ? { axis: leftAxis, side: 'left' as const } : { axis: rightAxis, side: 'right' as const }]));
};

/** Centre of point `index` of `count` across `width` pixels; a single point is in the middle. */
export const pointX = (index: number, count: number, width: number): number => (count <= 1 ? width / 2 : (index / (count - 1)) * width);

/** Index of the point nearest to a pixel. */
export const nearestPoint = (x: number, count: number, width: number): number =>
  count <= 1 ? 0 : Math.min(count - 1, Math.max(0, Math.round((x / Math.max(1, width)) * (count - 1))));
