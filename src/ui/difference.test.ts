import { differenceOf } from './difference';

test.each([
  [112, 100, 'more', 'good'],
  [88, 100, 'more', 'bad'],
  [0.4, 0.5, 'less', 'good'],
  [5, 4, 'neither', 'neutral'],
  [100.2, 100, 'more', 'neutral'],
] as const)('%d after %d where %s is better: %s', (now, before, better, tone) =>
  expect(differenceOf(now, before, better)).toMatchObject({ kind: 'change', tone }),
);

test('a change from zero has no percentage', () => {
  expect(differenceOf(5, 0, 'more')).toEqual({ kind: 'new' });
  expect(differenceOf(0, 0, 'more')).toMatchObject({ kind: 'change', ratio: 0, tone: 'neutral' });
});

test('nothing is shown when either value is unknown', () => {
  expect(differenceOf(null, 3, 'more')).toEqual({ kind: 'none' });
  expect(differenceOf(3, null, 'more')).toEqual({ kind: 'none' });
});

test('a change under thirty visits has no colour', () => {
  expect(differenceOf(20, 10, 'more', 20)).toMatchObject({ tone: 'neutral', thin: true });
  expect(differenceOf(20, 10, 'more', 30)).toMatchObject({ tone: 'good', thin: false });
});
