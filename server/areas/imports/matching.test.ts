import fc from 'fast-check';
import { mergeTimes } from './matching';

const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 }).map((list) => list.sort((a, b) => a - b));
const countOf = (list: readonly number[], at: number): number => list.filter((one) => one === at).length;

test('merged logs count each line once and keep duplicates within one', () => {
  fc.assert(
    fc.property(times, times, (counted, compared) => {
      const merged = mergeTimes(counted, compared);
      for (let at = 0; at <= 20; at += 1) expect(countOf(merged, at)).toBe(Math.max(countOf(counted, at), countOf(compared, at)));
      expect(merged).toEqual([...merged].sort((a, b) => a - b));
      expect(mergeTimes(counted, counted)).toEqual(counted);
    }),
  );
});
