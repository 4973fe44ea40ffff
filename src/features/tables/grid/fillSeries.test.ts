import fc from 'fast-check';
import { fillSeries } from './fillSeries';

describe('filling', () => {
  test('number series are exact and keep their digits', () => {
    expect(fillSeries(['0.1', '0.2'], 'number', 3)).toEqual(['0.3', '0.4', '0.5']);
    expect(fillSeries(['10.00', '7.50'], 'number', 4)).toEqual(['5.00', '2.50', '0.00', '-2.50']);
    expect(fillSeries([1, 3, 5], 'number', 2)).toEqual([7, 9]);
    expect(fillSeries(['90071992547409931', '90071992547409932'], 'number', 1)).toEqual(['90071992547409933']);
  });
  test('date series continue by days, their step or calendar months', () => {
    expect(fillSeries(['2024-02-28'], 'date', 2)).toEqual(['2024-02-29', '2024-03-01']);
    expect(fillSeries(['2026-01-01', '2026-01-08'], 'date', 2)).toEqual(['2026-01-15', '2026-01-22']);
    expect(fillSeries(['2026-11-30', '2026-12-30'], 'date', 3)).toEqual(['2027-01-30', '2027-02-28', '2027-03-30']);
    expect(fillSeries(['2026-01-01T08:00:00.000Z', '2026-01-01T08:30:00.000Z'], 'datetime', 1)).toEqual(['2026-01-01T09:00:00.000Z']);
  });
  test('other values are repeated', () => {
    expect(fillSeries(['5'], 'number', 2)).toEqual(['5', '5']);
    expect(fillSeries(['1', '2', '4'], 'number', 4)).toEqual(['1', '2', '4', '1']);
    expect(fillSeries(['a', null], undefined, 3)).toEqual(['a', null, 'a']);
    expect(fillSeries(['2026-01-01', null], 'date', 2)).toEqual(['2026-01-01', null]);
  });
  test('an even series, split after two or more values, continues exactly', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
        fc.integer({ min: 2, max: 6 }),
        (first, step, known) => {
          const all = Array.from({ length: 12 }, (_, place) => String(first + step * BigInt(place)));
          expect(fillSeries(all.slice(0, known), 'number', 12 - known)).toEqual(all.slice(known));
        },
      ),
    );
  });
});
