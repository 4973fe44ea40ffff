/** Buckets of loyalty reports. This module has no validator, so that pages can import it cheaply. */

/** Upper ends of buckets: pages of a visit and visit number (inclusive), days since the last visit (inclusive), seconds (exclusive). */
export type BucketEnds = {
  readonly pages: readonly number[];
  readonly seconds: readonly number[];
  readonly days: readonly number[];
  readonly visits: readonly number[];
};
export const bucketLimits = { most: 20, largest: 1_000_000, least: { pages: 1, seconds: 1, days: 0, visits: 1 } } as const;

export const defaultBucketEnds: BucketEnds = {
  pages: [1, 2, 3, 4, 5, 10, 20, 50, 100],
  seconds: [10, 30, 60, 120, 180, 240, 300, 600, 1800, 3600],
  days: [0, 1, 2, 7, 15, 30, 90, 365],
  visits: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 50, 100, 200, 300],
};

/** Scale of each bucketed dimension. */
export const scaleOf = { pages: 'pages', distinctPages: 'pages', duration: 'seconds', engagedTime: 'seconds', ago: 'days', visitNumber: 'visits' } as const;
export type Axis = keyof typeof scaleOf;
export const isAxis = (by: string): by is Axis => Object.hasOwn(scaleOf, by);

const last = (ends: readonly number[]): number => ends.at(-1) ?? 0;
const counted = (ends: readonly number[], first: number): string[] => [
  ...ends.map((end, index) => {
    const from = index === 0 ? first : (ends[index - 1] ?? 0) + 1;
    return from === end ? String(end) : `${String(from)}-${String(end)}`;
  }),
  `>${String(last(ends))}`,
];
const timed = (ends: readonly number[]): string[] => [
  ...ends.map((end, index) => `${String(index === 0 ? 0 : (ends[index - 1] ?? 0))}-${String(end)}`),
  `>=${String(last(ends))}`,
];

/** Returns the keys of an axis in order: `1`, `6-10`, `>100`; for seconds `10-30`, `>=3600`; for days since the last visit, `first` comes first. */
export function axisKeys(axis: Axis, ends: BucketEnds): string[] {
  const scale = scaleOf[axis];
  if (scale === 'seconds') return timed(ends.seconds);
  if (scale === 'days') return ['first', ...counted(ends.days, 0)];
  return counted(ends[scale], 1);
}

/** Whether a text is a valid bucket key of an axis, for any ends. */
export function isBucketKey(axis: Axis, key: string): boolean {
  if (key === 'first') return axis === 'ago';
  return (scaleOf[axis] === 'seconds' ? /^(?:\d{1,7}-|>=)\d{1,7}$/ : /^(?:\d{1,7}-|>)?\d{1,7}$/).test(key);
}
