import { Failure } from '../../http/failure';
import { comparisonOf, comparableUntil, defaultGranularity, planRange, rangeOf, stepsOf } from './range';
import { HOUR, dayStart, instantOf, labelAt, offsetAt } from '../../zone';

const iso = (instant: number) => new Date(instant).toISOString();
const code = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return 'nothing thrown';
};

describe('days become instants', () => {
  test.each([
    ['Asia/Shanghai', '2026-11-20', '2026-11-19T16:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
    // Midnight was skipped: the day began at one o'clock.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['UTC', '2026-01-01', '2026-01-01T00:00:00.000Z'],
  ])('%s: %s begins at %s', (zone, day, expected) => {
    expect(iso(dayStart(day, zone))).toBe(expected);
  });

  test('a repeated local time means the first, a skipped one the change', () => {
    expect(iso(instantOf('2026-11-01', 1.5 * HOUR, 'America/New_York'))).toBe('2026-11-01T05:30:00.000Z');
    expect(iso(instantOf('2026-03-08', 2.5 * HOUR, 'America/New_York'))).toBe('2026-03-08T07:00:00.000Z');
  });

  test('an unknown zone is an error, not UTC', () => {
    expect(() => offsetAt(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('steps of the time axis', () => {
  const hours = (day: string, zone: string) => stepsOf(rangeOf(day, day, zone), 'hour');

  test('a day has 23 or 25 contiguous steps when clocks change', () => {
    const spring = hours('2026-03-08', 'America/New_York');
    expect(spring).toHaveLength(23);
    expect(spring.map((s) => s.label.slice(11))).not.toContain('02:00');
    const autumn = hours('2026-11-01', 'America/New_York');
    expect(autumn).toHaveLength(25);
    expect(autumn.filter((s) => s.label === '2026-11-01T01:00')).toHaveLength(2);
    for (const steps of [spring, autumn]) steps.slice(1).forEach((step, i) => expect(step.start).toBe(steps[i]?.end));
  });

  test('half-hour clock changes give short steps and no gap', () => {
    const steps = hours('2026-04-05', 'Australia/Lord_Howe');
    expect(steps.map((s) => (s.end - s.start) / 60_000).filter((m) => m !== 60)).toEqual([30]);
    expect(steps.at(-1)?.end).toBe(rangeOf('2026-04-05', '2026-04-05', 'Australia/Lord_Howe').end);
  });

  test('steps of one hour follow the local clock in quarter-hour zones', () => {
    expect(hours('2026-11-20', 'Asia/Kathmandu').every((s) => s.label.endsWith(':00'))).toBe(true);
  });

  test('a day that the zone skipped is not on the axis', () => {
    const steps = stepsOf(rangeOf('2011-12-29', '2011-12-31', 'Pacific/Apia'), 'day');
    expect(steps.map((s) => s.label.slice(0, 10))).toEqual(['2011-12-29', '2011-12-31']);
  });

  test('weeks begin on Monday, months on the first, cut to the range', () => {
    const range = rangeOf('2026-10-29', '2026-11-10', 'Asia/Shanghai');
    expect(stepsOf(range, 'week').map((s) => s.label.slice(0, 10))).toEqual(['2026-10-29', '2026-11-02', '2026-11-09']);
    expect(stepsOf(range, 'month').map((s) => s.label.slice(0, 10))).toEqual(['2026-10-29', '2026-11-01']);
    expect(stepsOf(range, 'month').at(-1)?.end).toBe(range.end);
  });

  test('minutes of a day', () => {
    expect(stepsOf(rangeOf('2026-11-20', '2026-11-20', 'Asia/Shanghai'), 'minute')).toHaveLength(1440);
  });
});

describe('which ranges and granularities are allowed', () => {
  const zone = 'Asia/Shanghai';
  const now = Date.parse('2026-11-20T03:00:00Z');
  const plan = (from: string, to: string, gran?: 'minute' | 'hour' | 'day' | 'week' | 'month') => planRange({ from, to, gran, compare: 'none' }, zone, now);

  test('the default granularity depends on the length of the range', () => {
    expect([1, 2, 3, 92, 93, 366, 367].map(defaultGranularity)).toEqual(['hour', 'hour', 'day', 'day', 'week', 'week', 'month']);
  });

  test('granularity and length limits of ranges are enforced', () => {
    expect(plan('2026-11-20', '2026-11-20', 'minute').gran).toBe('minute');
    expect(code(() => plan('2026-11-19', '2026-11-19', 'minute'))).toBe('range_not_allowed');
    expect(plan('2026-10-21', '2026-11-20', 'hour').gran).toBe('hour');
    expect(code(() => plan('2026-10-20', '2026-11-20', 'hour'))).toBe('range_not_allowed');
    expect(plan('2023-11-21', '2026-11-20').gran).toBe('month');
    expect(code(() => plan('2023-11-20', '2026-11-20'))).toBe('range_not_allowed');
    expect(code(() => plan('2026-11-21', '2026-11-20'))).toBe('range_not_allowed');
    expect(code(() => plan('1960-01-01', '1960-01-02'))).toBe('range_not_allowed');
  });
});

describe('comparisons', () => {
  const zone = 'Asia/Shanghai';
  const days = (from: string, to: string, compare: 'previous' | 'weekday' | 'year' | 'custom', extra = {}) => {
    const found = comparisonOf(rangeOf(from, to, zone), { from, to, compare, ...extra });
    return found && [found.from, found.to];
  };

  test('the earlier period', () => {
    expect(days('2026-10-01', '2026-10-31', 'previous')).toEqual(['2026-09-01', '2026-09-30']);
    expect(days('2026-11-18', '2026-11-20', 'previous')).toEqual(['2026-11-11', '2026-11-13']);
    expect(days('2026-11-01', '2026-11-20', 'custom', { compareFrom: '2026-01-01', compareTo: '2026-01-05' })).toEqual(['2026-01-01', '2026-01-05']);
  });

  test('a custom comparison without days is refused', () => {
    expect(code(() => days('2026-11-01', '2026-11-20', 'custom'))).toBe('range_not_allowed');
  });

  test('an unfinished day is compared up to the same local time', () => {
    const zoneOf = 'America/New_York';
    const range = rangeOf('2026-11-01', '2026-11-01', zoneOf);
    const before = rangeOf('2026-10-31', '2026-10-31', zoneOf);
    const now = instantOf('2026-11-01', 10 * HOUR, zoneOf);
    expect(labelAt(comparableUntil(range, before, now) ?? 0, zoneOf)).toBe('2026-10-31T10:00');
    expect(comparableUntil(range, before, range.end)).toBeNull();
  });

  test('a range that ends in the future is compared up to now', () => {
    const range = rangeOf('2026-11-01', '2026-11-30', zone);
    const before = rangeOf('2026-10-01', '2026-10-30', zone);
    const now = instantOf('2026-11-20', 8 * HOUR, zone);
    expect(labelAt(comparableUntil(range, before, now) ?? 0, zone)).toBe('2026-10-20T08:00');
  });
});
