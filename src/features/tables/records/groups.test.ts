import { groupLines, keysOf } from './groups';

const group = (keys: unknown[], count: number) => ({ keys, count, values: {} });

test('headings give the first row of each level', () => {
  const lines = groupLines([group(['news', true], 3), group(['news', null], 2), group(['guide', true], 4)], [false, false]);
  expect(lines.map(({ key, depth, first, count }) => [depth, key, first, count])).toEqual([
    [0, 'news', 0, 5],
    [1, true, 0, 3],
    [1, null, 3, 2],
    [0, 'guide', 5, 4],
    [1, true, 5, 4],
  ]);
  expect(groupLines([group(['a'], 1), group(['b'], 2)], [true]).map(({ key, first }) => [key, first])).toEqual([
    ['b', 0],
    ['a', 2],
  ]);
  expect(keysOf(lines[1]?.id ?? '')).toEqual(['news', true]);
  expect(keysOf('{')).toEqual([]);
});
