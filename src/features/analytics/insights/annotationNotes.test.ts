import { bucketOf } from './annotationNotes';

const axis = (...labels: string[]) => labels.map((label) => ({ label }));

test('an annotation is shown at the step that contains it', () => {
  const days = axis('2026-11-02T00:00', '2026-11-03T00:00', '2026-11-04T00:00');
  expect(bucketOf(days, { day: '2026-11-03', time: null })).toBe(1);
  expect(bucketOf(days, { day: '2026-11-03', time: '23:59' })).toBe(1);
  expect(bucketOf(days, { day: '2026-11-01', time: '12:00' })).toBe(-1);
  const hours = axis('2026-11-03T00:00', '2026-11-03T01:00', '2026-11-03T02:00');
  expect(bucketOf(hours, { day: '2026-11-03', time: '01:30' })).toBe(1);
  expect(bucketOf(hours, { day: '2026-11-03', time: null })).toBe(0);
  const weeks = axis('2026-10-26T00:00', '2026-11-02T00:00');
  expect(bucketOf(weeks, { day: '2026-11-01', time: '10:00' })).toBe(0);
});

test('an annotation in a repeated hour is shown at the first', () => {
  const night = axis('2026-10-25T01:00', '2026-10-25T02:00', '2026-10-25T02:00', '2026-10-25T03:00');
  expect(bucketOf(night, { day: '2026-10-25', time: '02:30' })).toBe(1);
});
