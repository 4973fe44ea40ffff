import fc from 'fast-check';
import { dayOf, daysOfRange, filterDate, instantsOf, startOfDay } from './filterDates';
import { matchFilter, matched } from './matchFilter';
import type { RecordFilter } from './recordFilter';
import { dateRanges, filterOps, opsOf, valueKinds } from './terms';
import type { FilterOp, ValueKind } from './terms';
import { caseCounts } from '../../test/support/caseCounts';

const now = Date.parse('2026-11-20T17:30:00Z');
const at = { now, zone: 'Asia/Shanghai', userId: 'me' };
const field = (yields: ValueKind) => [{ id: 'f_a', key: 'a', aliases: ['old'], yields }];
const ask = (yields: ValueKind, value: unknown, op: FilterOp, operand?: unknown, moment = at): boolean =>
  matchFilter({ field: 'a', op, value: operand }, matched(field(yields), { f_a: value }), moment);

test('text comparisons ignore case, except eq and in', () => {
  expect(ask('text', '龙井 Tea', 'contains', 'TEA')).toBe(true);
  expect(ask('text', '龙井 Tea', 'starts', '龙井 t')).toBe(true);
  expect(ask('text', '龙井 Tea', 'ends', 'EA')).toBe(true);
  expect(ask('text', 'Tea', 'eq', 'tea')).toBe(false);
  expect(ask('text', 'Tea', 'in', ['tea', 'x'])).toBe(false);
  expect(ask('text', '50%_off', 'contains', '%_')).toBe(true);
});

test('empty values match only empty and negative operators', () => {
  for (const kind of valueKinds) {
    for (const value of [null, undefined, '', []]) {
      expect(ask(kind, value, 'empty')).toBe(true);
      expect(ask(kind, value, 'notEmpty')).toBe(false);
    }
  }
  expect(ask('text', null, 'ne', 'a')).toBe(true);
  expect(ask('text', null, 'nin', ['a'])).toBe(true);
  expect(ask('text', null, 'notContains', 'a')).toBe(true);
  expect(ask('list', [], 'hasNone', ['a'])).toBe(true);
  expect(ask('text', null, 'contains', '')).toBe(false);
  expect(ask('number', null, 'lt', 1)).toBe(false);
  expect(ask('boolean', null, 'eq', false)).toBe(false);
  expect(ask('boolean', null, 'ne', true)).toBe(true);
  expect(ask('list', null, 'hasAll', [])).toBe(false);
  expect(ask('text', null, 'eq', '')).toBe(true);
  expect(ask('number', '3', 'eq', null)).toBe(false);
  expect(ask('number', '3', 'ne', null)).toBe(true);
});

test('numbers are compared exactly, in any notation', () => {
  expect(ask('number', '0.30', 'eq', 0.3)).toBe(true);
  expect(ask('number', '12345678901234567890.1', 'gt', '12345678901234567890.09')).toBe(true);
  expect(ask('number', '1000', 'eq', '1e3')).toBe(true);
  expect(ask('number', 5, 'between', ['4.5', 5])).toBe(true);
  expect(ask('number', '-0', 'eq', 0)).toBe(true);
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(8), (a, b, places) => {
      const decimalText = (n: bigint): string => {
        const digits = String(n < 0n ? -n : n).padStart(places + 1, '0');
        return `${n < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}${places ? `.${digits.slice(-places)}` : ''}`;
      };
      expect(ask('number', decimalText(a), 'lt', decimalText(b))).toBe(a < b);
      expect(ask('number', decimalText(a), 'gte', decimalText(b))).toBe(a >= b);
    }),
  );
});

test('dates match whole days, ranges in the zone, weeks from Monday', () => {
  // In Shanghai it is already the 21st, a Saturday.
  expect(dayOf(now, at.zone)).toBe('2026-11-21');
  expect(ask('date', '2026-11-21', 'eq', '$today')).toBe(true);
  expect(ask('date', '2026-11-20', 'eq', '$today', { ...at, zone: 'UTC' })).toBe(true);
  expect(ask('date', '2026-11-14', 'gte', '$now-7d')).toBe(true);
  expect(ask('date', '2026-11-13', 'gte', '$now-7d')).toBe(false);
  expect(ask('datetime', '2026-11-20T15:59:59.999Z', 'lte', '2026-11-20')).toBe(true);
  expect(ask('datetime', '2026-11-20T16:00:00.000Z', 'lte', '2026-11-20')).toBe(false);
  expect(ask('datetime', '2026-11-20T16:00:00.000Z', 'gt', '2026-11-20')).toBe(true);
  expect(ask('datetime', '2026-11-20T16:00:00.000Z', 'within', 'today')).toBe(true);
  expect(ask('datetime', '2026-11-20T17:00:00.000Z', 'between', ['$now-1h', '$now'])).toBe(true);
  expect(ask('date', '2026-11-16', 'within', 'thisWeek')).toBe(true);
  expect(ask('date', '2026-11-15', 'within', 'thisWeek')).toBe(false);
  expect(daysOfRange('last7', at)).toEqual(['2026-11-15', '2026-11-21']);
  expect(daysOfRange('lastMonth', at)).toEqual(['2026-10-01', '2026-10-31']);
  expect(daysOfRange('nextMonth', { now: Date.parse('2026-01-31T12:00:00Z'), zone: 'UTC' })).toEqual(['2026-02-01', '2026-02-28']);
});

test('relative moments respect month ends and clock changes', () => {
  const march = { now: Date.parse('2026-03-29T10:00:00Z'), zone: 'Europe/Berlin' };
  expect(filterDate('$now-1d', march)).toEqual({ instant: Date.parse('2026-03-28T11:00:00Z') });
  expect(filterDate('$today-1M', { now: Date.parse('2026-03-31T10:00:00Z'), zone: 'UTC' })).toEqual({ day: '2026-02-28' });
  expect(filterDate('2026-03-29T02:30', march)).toEqual({ instant: Date.parse('2026-03-29T01:00:00Z') });
  expect(instantsOf({ day: '2026-03-29' }, 'Europe/Berlin')).toEqual([Date.parse('2026-03-28T23:00:00Z'), Date.parse('2026-03-29T22:00:00Z')]);
  for (const wrong of ['2026-02-30', '$now-7x', '$now+999999y', '$today-2h', '', 'tomorrow', 7, null]) expect(filterDate(wrong, march)).toBeNull();
});

test('a day begins where the previous one ends, in any zone', () => {
  const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe', 'UTC'];
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.date({ min: new Date('1900-01-01'), max: new Date('2190-01-01'), noInvalidDate: true }), (zone, date) => {
      const day = dayOf(date.getTime(), zone);
      expect(startOfDay(day, zone)).toBeLessThanOrEqual(date.getTime());
      expect(dayOf(startOfDay(day, zone), zone)).toBe(day);
      expect(dayOf(startOfDay(day, zone) - 1, zone) < day).toBe(true);
    }),
  );
  for (const name of dateRanges) {
    const days = daysOfRange(name, at);
    expect(days && days[0] <= days[1]).toBe(true);
  }
});

test('relation filters support the reader, some and none', () => {
  expect(ask('record', 'me', 'eq', '$user')).toBe(true);
  expect(ask('records', ['x', 'me'], 'hasAny', ['$user'])).toBe(true);
  expect(ask('record', 'me', 'eq', '$user', { ...at, userId: 'other' })).toBe(false);
  const author = (name: string) => matched([{ id: 'f_b', key: 'name', aliases: [], yields: 'text' }], { f_b: name });
  const book = { ...matched(field('records'), { f_a: ['1', '2'] }), related: () => [author('老舍'), author('巴金')] };
  const some: RecordFilter = { field: 'a', op: 'some', value: { field: 'name', op: 'eq', value: '巴金' } };
  expect(matchFilter(some, book, at)).toBe(true);
  expect(matchFilter({ ...some, op: 'none' }, book, at)).toBe(false);
  expect(matchFilter({ ...some, op: 'none' }, { ...book, related: () => [] }, at)).toBe(true);
  expect(matchFilter({ ...some, op: 'none' }, matched(field('records'), { f_a: ['1'] }), at)).toBe(false);
});

test('fields are found by id, key, alias and system name', () => {
  const record = matched(field('number'), { f_a: '3' }, { $state: 'draft', $n: 7 });
  for (const name of ['f_a', 'a', 'old']) expect(matchFilter({ field: name, op: 'eq', value: 3 }, record, at)).toBe(true);
  expect(matchFilter({ field: '$state', op: 'eq', value: 'draft' }, record, at)).toBe(true);
  expect(matchFilter({ field: '$n', op: 'gt', value: 6 }, record, at)).toBe(true);
});

test('an invalid condition matches nothing, even when negated', () => {
  const record = matched(field('number'), { f_a: '3' });
  const impossible: RecordFilter[] = [
    { field: 'gone', op: 'eq', value: 1 },
    { field: 'a', op: 'contains', value: '3' },
    { field: 'a', op: 'eq', value: 'three' },
    { field: 'a', op: 'between', value: [1] },
  ];
  for (const one of impossible) {
    expect(matchFilter(one, record, at)).toBe(false);
    expect(matchFilter({ not: one }, record, at)).toBe(false);
    expect(matchFilter({ not: one }, matched(field('number'), {}), at)).toBe(false);
    expect(matchFilter({ or: [one, { field: 'a', op: 'eq', value: 3 }] }, record, at)).toBe(true);
  }
});

test('any value under any operator gives a result, without throwing', () => {
  const cases = caseCounts('fitting operator', 'other operator');
  fc.assert(
    fc.property(fc.constantFrom(...valueKinds), fc.constantFrom(...filterOps), fc.jsonValue(), fc.jsonValue(), (kind, op, value, operand) => {
      const verdict = ask(kind, value, op, operand);
      expect(typeof verdict).toBe('boolean');
      cases.count(opsOf[kind].includes(op) ? 'fitting operator' : 'other operator');
      if (!opsOf[kind].includes(op)) expect(verdict).toBe(false);
    }),
  );
  cases.expectAtLeast(5);
});

test('and, or and not follow Boolean logic', () => {
  const leaf: fc.Arbitrary<RecordFilter> = fc.record({
    field: fc.constantFrom('a', 'old'),
    op: fc.constantFrom('eq', 'gt', 'ne'),
    value: fc.integer({ min: 0, max: 3 }),
  });
  const { filter } = fc.letrec<{ filter: RecordFilter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ and: fc.array(tie('filter'), { maxLength: 3 }) }),
      fc.record({ or: fc.array(tie('filter'), { maxLength: 3 }) }),
      fc.record({ not: tie('filter') }),
    ),
  }));
  const expected = (one: RecordFilter, value: number): boolean => {
    if ('and' in one) return one.and.every((part) => expected(part, value));
    if ('or' in one) return one.or.some((part) => expected(part, value));
    if ('not' in one) return !expected(one.not, value);
    return one.op === 'eq' ? value === one.value : one.op === 'ne' ? value !== one.value : value > Number(one.value);
  };
  fc.assert(
    fc.property(filter, fc.integer({ min: 0, max: 3 }), (one, value) => {
      expect(matchFilter(one, matched(field('number'), { f_a: value }), at)).toBe(expected(one, value));
    }),
  );
});
