import fc from 'fast-check';
import { durationText, momentText, readDate, readDuration, readMoment, readNumber, readText, readTime, splitList, textOf } from './fieldText';

const field = (type: Parameters<typeof textOf>[0]['type'], options: Parameters<typeof textOf>[0]['options'] = {}) => ({ type, options });
const choices = [
  { id: 'a', title: '红茶', color: 'red' as const },
  { id: 'b', title: 'Green, tea', color: 'green' as const },
  { id: 'c', title: 'Oolong', color: 'blue' as const },
];

test.each([
  ['1,234.5', '1234.5'],
  ['１，２３４', '1234'],
  ['1.25万', '12500'],
  ['1e3', '1000'],
  ['1.20E+03', '1200'],
  ['-2.5e-3', '-0.0025'],
  ['3 亿', '300000000'],
  ['-0.5k', '-500'],
  ['(12.50)', '-12.50'],
  ['¥ 1,000', '1000'],
  ['-¥5', '-5'],
  ['5 元', '5'],
  ['12.5%', '12.5'],
  ['.5', '0.5'],
  ['007', '7'],
  ['-0', '0'],
  ['99999999999999999999.25', '99999999999999999999.25'],
])('reads the number %s', (text, number) => expect(readNumber(text)).toBe(number));
test.each(['1,23', '1.2.3', 'abc', '', '.', '1e', '十', '12-', '1,2345', '--1'])('refuses the number %s', (text) => expect(readNumber(text)).toBeNull());

test.each([
  ['2026-11-20', '2026-11-20'],
  ['2026/1/2', '2026-01-02'],
  ['2026.11.20', '2026-11-20'],
  ['2026年11月20日', '2026-11-20'],
  ['2026年 1月 2号', '2026-01-02'],
  ['20261120', '2026-11-20'],
  ['11/20/2026', '2026-11-20'],
  ['20/11/2026', '2026-11-20'],
  ['20 Nov 2026', '2026-11-20'],
  ['November 20, 2026', '2026-11-20'],
  ['2026-11-20 17:05', '2026-11-20'],
])('reads the date %s', (text, day) => expect(readDate(text)).toBe(day));
test.each(['01/02/2026', '2026-02-30', '2026-13-01', '0000-01-01', 'tomorrow', '11/20'])('refuses the date %s', (text) => expect(readDate(text)).toBeNull());

test.each([
  ['9:05', '09:05:00'],
  ['09:05:30', '09:05:30'],
  ['下午3:30', '15:30:00'],
  ['15点30分', '15:30:00'],
  ['9点', '09:00:00'],
  ['3:30 PM', '15:30:00'],
  ['12 am', '00:00:00'],
  ['上午12:00', '00:00:00'],
])('reads the time %s', (text, time) => expect(readTime(text)).toBe(time));
test.each(['24:00', '9:60', '9', 'noon'])('refuses the time %s', (text) => expect(readTime(text)).toBeNull());

test.each([
  ['2026-11-20 17:05', '2026-11-20T09:05:00.000Z'],
  ['2026年11月20日 下午5:05', '2026-11-20T09:05:00.000Z'],
  ['2026/11/20', '2026-11-19T16:00:00.000Z'],
  ['2026-11-20T17:05:06Z', '2026-11-20T17:05:06.000Z'],
  ['2026-11-20T17:05:06.789+02:00', '2026-11-20T15:05:06.789Z'],
])('reads the moment %s in Shanghai', (text, moment) => expect(readMoment(text, 'Asia/Shanghai')).toBe(moment));
test('a time skipped by the clock change is still read', () => {
  expect(readMoment('2026-03-29 02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(readMoment('2026-03-29 03:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(readMoment('2026-02-30 03:30', 'Europe/Berlin')).toBeNull();
});

test.each([
  ['1:30', 90],
  ['1:02:03', 3723],
  ['90', 90],
  ['1h 30m', 5400],
  ['1小时30分', 5400],
  ['2 分钟', 120],
  ['-0:05', -5],
])('reads the duration %s', (text, seconds) => expect(readDuration(text)).toBe(seconds));
test.each(['1:60', '1:2:3:4', 'h', '1.5'])('refuses the duration %s', (text) => expect(readDuration(text)).toBeNull());

test('yes and no are read in both languages', () => {
  for (const word of ['是', 'TRUE', 'Yes', '√', '1', '✓']) expect(readText(field('switch'), word)).toEqual({ ok: true, value: true });
  for (const word of ['否', 'false', 'No', '0', '×']) expect(readText(field('switch'), word)).toEqual({ ok: true, value: false });
  expect(readText(field('switch'), 'maybe')).toEqual({ ok: false, code: 'wrong_type', missing: [] });
});

test('choice titles ignore width and case, and unknown ones are named', () => {
  expect(readText(field('select', { choices }), ' oolong ')).toEqual({ ok: true, value: 'c' });
  expect(readText(field('select', { choices }), 'Ｏｏｌｏｎｇ')).toEqual({ ok: true, value: 'c' });
  expect(readText(field('multiSelect', { choices }), '红茶、Oolong')).toEqual({ ok: true, value: ['a', 'c'] });
  expect(readText(field('multiSelect', { choices }), 'Green, tea')).toEqual({ ok: true, value: ['b'] });
  expect(readText(field('multiSelect', { choices }), '红茶, 白茶, 黑茶')).toEqual({ ok: false, code: 'unknown', missing: ['白茶', '黑茶'] });
});

test('records are found by title, also as a list', () => {
  const ids: Record<string, string> = { 林: '01890000-0000-7000-8000-000000000001', 王: '01890000-0000-7000-8000-000000000002' };
  const find = (title: string): string | null => (Object.hasOwn(ids, title) ? (ids[title] ?? null) : null);
  expect(readText(field('relations'), '林、王', { find })).toEqual({ ok: true, value: [ids.林, ids.王] });
  expect(readText(field('relation'), '李', { find })).toEqual({ ok: false, code: 'unknown', missing: ['李'] });
  expect(readText(field('relation'), 'constructor', { find })).toMatchObject({ ok: false });
});

test('blank text is empty, line breaks become spaces, passwords stay hidden', () => {
  expect(readText(field('number'), '  ')).toEqual({ ok: true, value: null });
  expect(readText(field('text'), 'a\r\nb')).toEqual({ ok: true, value: 'a b' });
  expect(textOf(field('password'), true)).toBe('');
});

test('copied text is read back unchanged', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 99 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`);
  const title = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() !== '' && text.normalize('NFC') === text && !/[\r\n]/.test(text));
  const zone = fc.constantFrom('UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/New_York');
  const back = (type: Parameters<typeof textOf>[0]['type'], fieldValue: unknown, options = {}, timeZone = 'UTC') =>
    expect(readText(field(type, options), textOf(field(type, options), fieldValue, { timeZone }), { timeZone })).toEqual({ ok: true, value: fieldValue });
  fc.assert(fc.property(decimal, (number) => back('number', number)));
  fc.assert(fc.property(decimal, (number) => back('percent', number)));
  fc.assert(fc.property(fc.maxSafeInteger(), (number) => back('integer', number)));
  fc.assert(fc.property(fc.integer({ min: -1e6, max: 1e6 }), (seconds) => expect(readDuration(durationText(seconds))).toBe(seconds)));
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (day) =>
      back('date', day.toISOString().slice(0, 10)),
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), zone, (seconds, timeZone) => {
      const iso = new Date(seconds * 1000).toISOString();
      const read = readMoment(momentText(iso, timeZone), timeZone);
      // Both occurrences of a repeated hour have the same text.
      if (read !== iso) expect(momentText(read ?? '', timeZone)).toBe(momentText(iso, timeZone));
    }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(title, { minLength: 1, maxLength: 5 }), (tags) => {
      expect(splitList(textOf(field('tags'), tags))).toEqual(tags);
    }),
  );
  fc.assert(
    fc.property(fc.subarray(['a', 'b', 'c'], { minLength: 1 }), (ids) => {
      back('multiSelect', ids, { choices });
    }),
  );
  fc.assert(fc.property(fc.boolean(), (on) => back('switch', on)));
});

test('moments of any year are read in their zone', () => {
  expect(readMoment('0099-01-02 10:00', 'UTC')).toBe('0099-01-02T10:00:00.000Z');
  expect(() => readMoment('0001-01-01 00:00', 'Asia/Shanghai')).not.toThrow();
  expect(() => readMoment('9999-12-31 23:59', 'America/New_York')).not.toThrow();
});
