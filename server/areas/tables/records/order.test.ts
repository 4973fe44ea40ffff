import fc from 'fast-check';
import { ordersBetween } from './order';

/** Compares decimals as PostgreSQL does, whatever their length. */
function compare(a: string, b: string): number {
  const scale = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const whole = (text: string): bigint => {
    const [before = '', after = ''] = text.split('.');
    return BigInt(before + after.padEnd(scale, '0'));
  };
  return whole(a) < whole(b) ? -1 : whole(a) > whole(b) ? 1 : 0;
}

test('positions stay distinct and in the requested order after any moves', () => {
  const move = fc.record({ at: fc.nat(), count: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 60 }), (moves) => {
      const all = ['1', '2', '3'];
      for (const { at, count } of moves) {
        const place = at % (all.length + 1);
        const [low = null, high = null] = [all[place - 1], all[place]];
        all.splice(place, 0, ...ordersBetween(low, high, count));
      }
      for (const [i, one] of all.entries()) if (i > 0) expect(compare(all[i - 1] ?? '', one)).toBe(-1);
    }),
    { numRuns: 200 },
  );
});

test('a thousand moves to one place need under 420 digits', () => {
  let low = '1';
  for (let i = 0; i < 1000; i++) [low = ''] = ordersBetween(low, '2', 1);
  expect(low.length).toBeLessThan(420);
});

test('the first position is lowest and the last precedes new records', () => {
  expect(ordersBetween(null, '1', 2)).toEqual(['-1', '0']);
  expect(ordersBetween(null, '-2.5', 1)).toEqual(['-3']);
  expect(ordersBetween('7', null, 1)).toEqual(['7.5']);
  expect(ordersBetween(null, null, 3)).toEqual(['1', '2', '3']);
  expect(() => ordersBetween('2', '2.0', 1)).toThrow('equal');
});
