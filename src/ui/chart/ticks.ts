/** The unit of an axis; decides which values are round numbers. */
export type TickUnit = 'count' | 'decimal' | 'ratio' | 'seconds';

const decades = (digit: readonly number[], power: number): readonly number[] => digit.map((one) => one * 10 ** power);
/** 1-2-5 steps are round in K/M and in 万/亿 alike; durations use round minutes and hours instead. */
const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** The smallest round step of at least `rough`. */
const stepFor = (unit: TickUnit, rough: number): number => {
  if (unit === 'seconds') {
    const last = secondSteps[secondSteps.length - 1] as number;
    if (rough <= last) return secondSteps.find((one) => one >= rough) ?? last;
    return Math.ceil(rough / last) * last;
  }
  const power = Math.floor(Math.log10(rough));
  const step = decades(unit === 'ratio' ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10], power).find((one) => one >= rough * (1 - 1e-9)) ?? 10 ** (power + 1);
  return unit === 'count' ? Math.max(1, step) : step;
};

/**
 * Round axis values from zero (or below) past the largest value; the first and last are the ends of the axis. A flat or empty line still gets an
 * axis, so that zero is visible. With `exactly` it has `steps` steps, to share grid lines with another axis. Shares (ratios from 0 to 1) end at 1 at most.
 */
export const axisTicks = (values: readonly (number | null)[], unit: TickUnit, steps = 4, exactly = false): readonly number[] => {
  const real = values.filter((one): one is number => one !== null && Number.isFinite(one));
  const top = Math.max(0, ...real);
  const bottom = Math.min(0, ...real);
  const span = top - bottom;
  const roundStep = span === 0 ? (unit === 'ratio' ? 0.25 : 1) : stepFor(unit, span / steps);
  const isShare = unit === 'ratio' && bottom === 0 && top <= 1;
  const step = isShare && exactly ? Math.min(roundStep, 1 / steps) : roundStep;
  const first = Math.floor(bottom / step + 1e-9);
  const last = Math.max(first + (exactly ? steps : 1), Math.ceil(top / step - 1e-9));
  // Multiplying integers avoids labels such as 0.30000000000000004.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
};

/**
 * Which of n points get a label below the axis: evenly spaced, at most as many as fit, always including the first. `steps` are the round distances
 * (for hours 1, 2, 3, 6, 12).
 */
export const labelledIndexes = (count: number, fit: number, steps: readonly number[] = [1, 2, 3, 5, 7, 10, 14, 15, 30, 60, 90]): readonly number[] => {
  if (count === 0) return [];
  const least = Math.ceil(count / Math.max(1, fit));
  const step = steps.find((one) => one >= least) ?? least;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
};
