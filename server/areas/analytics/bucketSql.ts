import { axisKeys, scaleOf } from '../../../contract/measuring/buckets';
import type { Axis, BucketEnds } from '../../../contract/measuring/buckets';
import type { FilterOp } from '../../../contract/analytics/schemas';

/** Days between the starts of a visit and the previous one, in the site's time zone. Fixed when the visit is written, never relative to today. */
const days = 'greatest(toDate(start, {zone:String}) - toDate(prev_start, {zone:String}), 0)';
/** The number that an axis groups visits by; times in milliseconds. */
const numbers: Readonly<Record<Axis, string>> = {
  pages: 'greatest(length(view_at), 1)',
  distinctPages: 'greatest(upv, 1)',
  duration: "dateDiff('millisecond', start, last)",
  engagedTime: 'engaged_ms',
  ago: days,
  visitNumber: 'visit_no',
};

/** SQL that maps a number to its bucket; `ends` and `keys` are either constants of the program or checked by the contract. */
export function bucketSql(axis: Axis, ends: BucketEnds, number = numbers[axis]): string {
  const scale = scaleOf[axis];
  const keys = axisKeys(axis, ends);
  const inOrder = axis === 'ago' ? keys.slice(1) : keys;
  const cases = ends[scale].map(
    (end, index) => `${number} ${scale === 'seconds' ? `< ${Math.trunc(end) * 1000}` : `<= ${Math.trunc(end)}`}, '${inOrder[index] ?? ''}'`,
  );
  return `multiIf(${axis === 'ago' ? "visit_no = 1, 'first', " : ''}${cases.join(', ')}, '${inOrder.at(-1) ?? ''}')`;
}

/** Whether a visit is in a bucket, independent of the site's current bucket limits. `key`: checked by `isBucketKey`. */
function inBucket(axis: Axis, key: string): string {
  if (key === 'first') return 'visit_no = 1';
  const [from = '', to = ''] = key.split('-');
  const number = numbers[axis];
  const value = (text: string): number => Number(text.replace(/\D/g, '')) * (scaleOf[axis] === 'seconds' ? 1000 : 1);
  const within = key.startsWith('>=')
    ? `${number} >= ${value(key)}`
    : key.startsWith('>')
      ? `${number} > ${value(key)}`
      : scaleOf[axis] === 'seconds'
        ? `${number} >= ${value(from)} AND ${number} < ${value(to)}`
        : `${number} BETWEEN ${value(from)} AND ${value(to === '' ? from : to)}`;
  return axis === 'ago' ? `(visit_no != 1 AND ${within})` : `(${within})`;
}

/**
 * A filter by buckets. Each key contains its own limits, so a filter saved before the site changed its buckets keeps its meaning; '' (unknown) matches no
 * visit.
 */
export function bucketCondition(axis: Axis, op: FilterOp, keys: readonly string[]): string {
  const any = keys.filter((key) => key !== '').map((key) => inBucket(axis, key));
  const condition = any.length === 0 ? '0' : `(${any.join(' OR ')})`;
  return op === 'not' ? `NOT ${condition}` : condition;
}
