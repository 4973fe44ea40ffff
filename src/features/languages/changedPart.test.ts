import fc from 'fast-check';
import { changedPart } from './changedPart';

test('the parts put together are the two versions', () => {
  const text = fc.array(fc.constantFrom('茶', '🍵', 'a', 'b')).map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { start, removed, added, end } = changedPart(before, after);
      expect(start + removed + end).toBe(before);
      expect(start + added + end).toBe(after);
    }),
  );
});

test('only what changed is in the middle', () => {
  expect(changedPart('西湖龙井', '西湖绿茶龙井')).toEqual({ start: '西湖', removed: '', added: '绿茶', end: '龙井' });
});
