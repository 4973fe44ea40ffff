import { addDays } from '@/lib/days';
import { compareRange, granularitiesFor, orderedRange, type Preset, presetRange, shiftRange } from './range';

const today = '2026-11-20';

test.each([
  ['today', '2026-11-20', '2026-11-20'],
  ['yesterday', '2026-11-19', '2026-11-19'],
  ['last7', '2026-11-14', '2026-11-20'],
  ['last30', '2026-10-22', '2026-11-20'],
  ['last90', '2026-08-23', '2026-11-20'],
  ['thisMonth', '2026-11-01', '2026-11-20'],
  ['lastMonth', '2026-10-01', '2026-10-31'],
  ['last14', '2026-11-07', '2026-11-20'],
  ['thisWeek', '2026-11-16', '2026-11-20'],
  ['lastWeek', '2026-11-09', '2026-11-15'],
  ['thisYear', '2026-01-01', '2026-11-20'],
  ['lastYear', '2025-01-01', '2025-12-31'],
] as const)('%s is %s to %s', (preset, from, to) => expect(presetRange(preset, today)).toEqual({ from, to }));

test('two days chosen in any order form a range', () => expect(orderedRange('2026-11-20', '2026-11-02')).toEqual({ from: '2026-11-02', to: '2026-11-20' }));

test('the period before a whole month is the previous whole month', () => {
  expect(shiftRange({ from: '2026-03-01', to: '2026-03-31' }, -1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(shiftRange({ from: '2026-02-01', to: '2026-02-28' }, 1)).toEqual({ from: '2026-03-01', to: '2026-03-31' });
  expect(shiftRange({ from: '2026-01-01', to: '2026-03-31' }, -1)).toEqual({ from: '2025-10-01', to: '2025-12-31' });
  expect(shiftRange({ from: '2026-11-14', to: '2026-11-20' }, -1)).toEqual({ from: '2026-11-07', to: '2026-11-13' });
});

describe('the previous period of a preset', () => {
  const before = (preset: Preset, day: string) => compareRange({ preset, range: presetRange(preset, day), compare: 'previous', compareTo: null });

  test.each([
    ['last7', today, '2026-11-07', '2026-11-13'],
    ['last30', today, '2026-09-17', '2026-10-16'],
    ['today', today, '2026-11-13', '2026-11-13'],
    ['lastWeek', today, '2026-11-02', '2026-11-08'],
    ['thisMonth', today, '2026-10-01', '2026-10-20'],
    ['lastMonth', today, '2026-09-01', '2026-09-30'],
    ['thisYear', today, '2025-01-01', '2025-11-20'],
    ['lastYear', today, '2024-01-01', '2024-12-31'],
    // The same days by another name.
    ['thisMonth', '2026-11-07', '2026-10-01', '2026-10-07'],
    ['last7', '2026-11-07', '2026-10-25', '2026-10-31'],
    ['thisMonth', '2027-01-20', '2026-12-01', '2026-12-20'],
    ['thisYear', '2027-01-20', '2026-01-01', '2026-01-20'],
  ] as const)('%s on %s is %s to %s', (preset, day, from, to) => expect(before(preset, day)).toEqual({ from, to }));

  test('a chosen comparison stays what it is', () => {
    const custom = { from: '2026-01-01', to: '2026-01-07' };
    const range = presetRange('lastMonth', today);
    expect(compareRange({ preset: 'lastMonth', range, compare: 'custom', compareTo: custom })).toEqual(custom);
    expect(compareRange({ preset: 'lastMonth', range, compare: 'none', compareTo: null })).toBeNull();
    expect(compareRange({ preset: 'lastMonth', range, compare: 'weekday', compareTo: null })).toEqual({ from: '2026-08-27', to: '2026-09-26' });
  });
});

test('a range offers only readable steps, its default first', () => {
  const last = (days: number, to = today) => granularitiesFor({ from: addDays(to, 1 - days), to }, today);
  expect(last(1)).toEqual(['hour', 'minute']);
  expect(last(1, '2026-11-19')).toEqual(['hour']);
  expect(last(7)[0]).toBe('day');
  expect(last(31)).toContain('hour');
  expect(last(32)).not.toContain('hour');
  expect(last(366)[0]).toBe('week');
  expect(last(900)[0]).toBe('month');
});
