import { cuesOf, newRow, problemOf, rowOf, splitRow } from './cueRows';

const row = rowOf({ id: 'a', start: 1000, end: 5000, settings: 'align:start', text: 'green tea, black tea' });

test('rows become cues in the order of their times', () => {
  const early = { ...newRow(0), text: ' tea ' };
  expect(cuesOf([row, early, newRow(9000)])).toEqual([
    { id: '', settings: '', start: 0, end: 2000, text: 'tea' },
    { id: 'a', settings: 'align:start', start: 1000, end: 5000, text: 'green tea, black tea' },
  ]);
});

test.each([
  [{ start: 'soon' }, 'start'],
  [{ end: '00:00:01.000' }, 'end'],
  [{ text: ' ' }, 'text'],
  [{}, null],
])('a row with %j has the problem %s', (change, problem) => {
  expect(problemOf({ ...row, ...change })).toBe(problem);
});

test('a cue is divided where the player is, or in its middle', () => {
  const parts = (at: number) => splitRow(row, at)?.map(({ start, end, text }) => [start, end, text]);
  expect(parts(2000)).toEqual([
    ['00:00:01.000', '00:00:02.000', 'green'],
    ['00:00:02.000', '00:00:05.000', 'tea, black tea'],
  ]);
  expect(parts(9000)?.[0]).toEqual(['00:00:01.000', '00:00:03.000', 'green tea,']);
  expect(splitRow({ ...row, end: 'later' }, 0)).toBeNull();
});
