/** Maximum number of classes: few enough to be distinguished by lightness alone. */
const most = 5;

/**
 * Lower bounds of the second and further classes, round numbers of the series 1, 2, 5, 10…: traffic spans several powers of ten, and equal steps
 * would show one dark province and thirty pale ones. The first class begins at the smallest value.
 */
export const breaksOf = (values: readonly number[]): readonly number[] => {
  const positive = values.filter((value) => value > 0);
  const least = Math.min(...positive);
  const top = Math.max(...positive);
  const round: number[] = [];
  for (let power = 1; power <= top; power *= 10) for (const step of [1, 2, 5]) if (step * power > least && step * power <= top) round.push(step * power);
  const count = Math.min(most - 1, round.length);
  // Spread evenly over the series; the highest is always included, so that the darkest class is never empty.
  return Array.from({ length: count }, (_, at) => round[count === 1 ? round.length - 1 : Math.round((at * (round.length - 1)) / (count - 1))] as number);
};

/** The class of a value; null for no value. */
export const classOf = (value: number | null | undefined, breaks: readonly number[]): number | null =>
  value === null || value === undefined || value <= 0 ? null : breaks.filter((from) => value >= from).length;

/** Colour of a class, from pale to full; the background colour for no value. */
export const classColour = (level: number | null, breaks: readonly number[]): string => {
  if (level === null) return 'var(--n-2)';
  const part = breaks.length === 0 ? 0.6 : 0.18 + (0.82 * level) / breaks.length;
  return `color-mix(in oklab, var(--chart-accent) ${String(Math.round(part * 100))}%, var(--n-2))`;
};
