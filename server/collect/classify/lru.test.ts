import { remember } from './lru';

test('what is asked for again is answered from memory, and memory holds no more than its size', () => {
  const asked: string[] = [];
  const answer = remember(4, (key) => {
    asked.push(key);
    return key.toUpperCase();
  });
  expect(['a', 'b', 'a', 'b'].map(answer)).toEqual(['A', 'B', 'A', 'B']);
  expect(asked).toEqual(['a', 'b']);
  for (const key of ['c', 'd', 'e', 'f', 'e']) answer(key);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  answer('a');
  expect(asked.at(-1)).toBe('a');
});
