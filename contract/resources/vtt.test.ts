import fc from 'fast-check';
import { formatVtt, parseCaptions, parseSrt, parseVtt, readTime, timeText, vttLimits } from './vtt';

const cue = { id: '', start: 0, end: 1000, settings: '', text: 'tea' };

test('a file with notes, styles, ids and settings', () => {
  const text =
    '\uFEFFWEBVTT - tea\r\nKind: captions\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE x --> y\r\n\r\nfirst\r\n00:01.5 --> 1:00:02.250 align:start\r\na\r\nb';
  expect(parseVtt(text)).toEqual({ cues: [{ id: 'first', start: 1500, end: 3_602_250, settings: 'align:start', text: 'a\nb' }], problems: [] });
});

test.each([
  ['', [{ line: 1, code: 'header' }]],
  ['WEBVTTx', [{ line: 1, code: 'header' }]],
  ['WEBVTT\n\n00:01 --> 00:02\na', [{ line: 3, code: 'time' }]],
  ['WEBVTT\n\nid\n00:02.000 --> 00:02.000\na', [{ line: 4, code: 'order' }]],
  [
    'WEBVTT\n\n00:01.000 --> 00:02.000\n\nlost',
    [
      { line: 3, code: 'text' },
      { line: 5, code: 'stray' },
    ],
  ],
  ['WEBVTT\n\n00:61.000 --> 00:99.000\na', [{ line: 3, code: 'time' }]],
])('problems have their line: %j', (text, problems) => {
  expect(parseVtt(text).problems).toEqual(problems);
});

test('SubRip becomes the same cues', () => {
  const srt = '1\r\n00:00:01,000 --> 00:00:02,500\r\n<font color="red"><i>tea</i></font>\r\n{\\an8}top\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nb\r\n';
  const { cues } = parseSrt(srt);
  expect(cues.map(({ start, end, text }) => [start, end, text])).toEqual([
    [1000, 2500, '<i>tea</i>\ntop'],
    [3000, 4000, 'b'],
  ]);
  expect(parseCaptions(srt)).toEqual({ cues, problems: [] });
});

test('more cues than allowed are a problem', () => {
  const text = formatVtt(Array.from({ length: vttLimits.cues + 1 }, () => cue));
  expect(parseVtt(text).problems).toMatchObject([{ code: 'many' }]);
});

test('times are read as they are written', () => {
  expect([readTime('1:02.5'), readTime('00:01:02,500'), readTime('1:02'), readTime('62'), readTime('tea')]).toEqual([62_500, 62_500, 62_000, null, null]);
  fc.assert(fc.property(fc.integer({ min: 0, max: 3_600_000_000 }), (ms) => readTime(timeText(ms)) === ms));
});

test('what is written reads as the same cues', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '茶', ' ', '-', '>', '<', '\n', '\r', '&'), minLength: 1 }).filter((text) => text.trim() !== '');
  const cues = fc.array(fc.record({ start: fc.integer({ min: 0, max: 10_000 }), length: fc.integer({ min: 1, max: 5000 }), text: line }), { maxLength: 6 });
  fc.assert(
    fc.property(cues, (some) => {
      const written = formatVtt(some.map(({ start, length, text }) => ({ ...cue, start, end: start + length, text })).toSorted((a, b) => a.start - b.start));
      const read = parseVtt(written);
      expect([read.problems, read.cues.length, formatVtt(read.cues)]).toEqual([[], some.length, written]);
    }),
  );
});
