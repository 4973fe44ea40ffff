import fc from 'fast-check';
import { parseTsv, pasteShape, printHtml, printTsv } from './tsv';

describe('the clipboard of spreadsheets', () => {
  const cell = fc.oneof(fc.string(), fc.stringMatching(/^["\t\n\ra中]{0,6}$/));
  test('copied text with tabs, quotes and line breaks parses back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((cols) => fc.array(fc.array(cell, { minLength: cols, maxLength: cols }), { minLength: 1, maxLength: 5 })),
        (rows) => {
          // A single empty cell prints as an empty text, which parses as no rows.
          fc.pre(!(rows.at(-1)?.length === 1 && rows.at(-1)?.[0] === ''));
          expect(parseTsv(printTsv(rows))).toEqual(rows);
        },
      ),
    );
  });
  test('a final line break ends the last row, unclosed quotes are text', () => {
    expect(parseTsv('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(parseTsv('"5 inch\tb\nc\td')).toEqual([
      ['"5 inch', 'b'],
      ['c', 'd'],
    ]);
    expect(parseTsv('a\t\n\tb')).toEqual([
      ['a', ''],
      ['', 'b'],
    ]);
    expect(parseTsv('')).toEqual([]);
  });
  test('clipboard HTML contains no markup of the values', () => {
    expect(printHtml([['<img src=x onerror="x">', 'a\nb']])).toBe(
      '<table><tbody><tr><td>&lt;img src=x onerror=&quot;x&quot;&gt;</td><td>a<br>b</td></tr></tbody></table>',
    );
  });
  test('a paste repeats a value or block that divides the range', () => {
    expect(pasteShape({ rows: 1, cols: 1 }, { rows: 5, cols: 3 })).toEqual({ rows: 5, cols: 3 });
    expect(pasteShape({ rows: 2, cols: 1 }, { rows: 6, cols: 2 })).toEqual({ rows: 6, cols: 2 });
    expect(pasteShape({ rows: 2, cols: 2 }, { rows: 3, cols: 2 })).toEqual({ rows: 2, cols: 2 });
    expect(pasteShape({ rows: 9, cols: 4 }, { rows: 1, cols: 1 })).toEqual({ rows: 9, cols: 4 });
    expect(pasteShape({ rows: 1, cols: 3 }, { rows: 4, cols: 1 })).toEqual({ rows: 4, cols: 3 });
  });
});
