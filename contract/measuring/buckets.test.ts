import { bucketKeys } from '../analytics/schemas';
import { axisKeys, defaultBucketEnds, isBucketKey, scaleOf } from './buckets';
import type { Axis } from './buckets';

const axes = Object.keys(scaleOf) as Axis[];

test('the default buckets match those of the contract', () => {
  expect(Object.fromEntries(axes.map((axis) => [axis, axisKeys(axis, defaultBucketEnds)]))).toEqual(bucketKeys);
});

test('buckets are contiguous, and the first includes everything below', () => {
  const ends = { pages: [3, 4], seconds: [45, 90], days: [3, 4], visits: [2, 9] };
  expect(axisKeys('pages', ends)).toEqual(['1-3', '4', '>4']);
  expect(axisKeys('duration', ends)).toEqual(['0-45', '45-90', '>=90']);
  expect(axisKeys('ago', ends)).toEqual(['first', '0-3', '4', '>4']);
  expect(axisKeys('visitNumber', ends)).toEqual(['1-2', '3-9', '>9']);
});

test('exactly the keys of an axis are recognized', () => {
  for (const axis of axes) for (const key of axisKeys(axis, defaultBucketEnds)) expect([axis, key, isBucketKey(axis, key)]).toEqual([axis, key, true]);
  for (const key of ['', 'x', '1-', '>=', "1' OR 1", '99999999'])
    expect([key, isBucketKey('pages', key), isBucketKey('duration', key)]).toEqual([key, false, false]);
  expect(isBucketKey('pages', 'first')).toBe(false);
});
