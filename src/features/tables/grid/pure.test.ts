import fc from 'fast-check';
import { columnAt, columnsWithin, layoutColumns, scrollToColumn } from './columns';
import { fillSeries } from './fill';
import { fillDownWrites, fillSideWrites, pasteOf } from './gestures';
import { commandOf } from './keys';
import { makeLines } from './lines';
import { makeScale, scrolled, settled, stuck } from './scrollScale';
import type { ScrollPlace } from './scrollScale';
import { at, clamped, fillTarget, moved, press, pressBand, rangeOf, rangesOf, tabbed } from './selection';
import { parseTsv, pasteShape, printHtml, printTsv } from './tsv';
import type { GridColumn, GridGroup } from './types';

describe('the clipboard of spreadsheets', () => {
  const cell = fc.oneof(fc.string(), fc.stringMatching(/^["\t\n\ra中]{0,6}$/));
  test('what is printed is read back, with tabs, quotation marks and line breaks inside', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((cols) => fc.array(fc.array(cell, { minLength: cols, maxLength: cols }), { minLength: 1, maxLength: 5 })),
        (rows) => {
          // One empty cell prints as nothing at all, and nothing is no row.
          fc.pre(!(rows.at(-1)?.length === 1 && rows.at(-1)?.[0] === ''));
          expect(parseTsv(printTsv(rows))).toEqual(rows);
        },
      ),
    );
  });
  test('Excel ends its last row with a line break; a quotation mark that is never closed is text', () => {
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
  test('HTML on the clipboard carries no markup of the values', () => {
    expect(printHtml([['<img src=x onerror="x">', 'a\nb']])).toBe(
      '<table><tbody><tr><td>&lt;img src=x onerror=&quot;x&quot;&gt;</td><td>a<br>b</td></tr></tbody></table>',
    );
  });
  test('one value is repeated over the range, a block over its multiples, and any other keeps its size', () => {
    expect(pasteShape({ rows: 1, cols: 1 }, { rows: 5, cols: 3 })).toEqual({ rows: 5, cols: 3 });
    expect(pasteShape({ rows: 2, cols: 1 }, { rows: 6, cols: 2 })).toEqual({ rows: 6, cols: 2 });
    expect(pasteShape({ rows: 2, cols: 2 }, { rows: 3, cols: 2 })).toEqual({ rows: 2, cols: 2 });
    expect(pasteShape({ rows: 9, cols: 4 }, { rows: 1, cols: 1 })).toEqual({ rows: 9, cols: 4 });
    expect(pasteShape({ rows: 1, cols: 3 }, { rows: 4, cols: 1 })).toEqual({ rows: 4, cols: 3 });
  });
});

describe('filling', () => {
  test('series of numbers are exact, and keep their digits', () => {
    expect(fillSeries(['0.1', '0.2'], 'number', 3)).toEqual(['0.3', '0.4', '0.5']);
    expect(fillSeries(['10.00', '7.50'], 'number', 4)).toEqual(['5.00', '2.50', '0.00', '-2.50']);
    expect(fillSeries([1, 3, 5], 'number', 2)).toEqual([7, 9]);
    expect(fillSeries(['90071992547409931', '90071992547409932'], 'number', 1)).toEqual(['90071992547409933']);
  });
  test('dates go on by days, by their step, and by the calendar where the day of the month is the same', () => {
    expect(fillSeries(['2024-02-28'], 'date', 2)).toEqual(['2024-02-29', '2024-03-01']);
    expect(fillSeries(['2026-01-01', '2026-01-08'], 'date', 2)).toEqual(['2026-01-15', '2026-01-22']);
    expect(fillSeries(['2026-11-30', '2026-12-30'], 'date', 3)).toEqual(['2027-01-30', '2027-02-28', '2027-03-30']);
    expect(fillSeries(['2026-01-01T08:00:00.000Z', '2026-01-01T08:30:00.000Z'], 'datetime', 1)).toEqual(['2026-01-01T09:00:00.000Z']);
  });
  test('everything else is repeated', () => {
    expect(fillSeries(['5'], 'number', 2)).toEqual(['5', '5']);
    expect(fillSeries(['1', '2', '4'], 'number', 4)).toEqual(['1', '2', '4', '1']);
    expect(fillSeries(['a', null], undefined, 3)).toEqual(['a', null, 'a']);
    expect(fillSeries(['2026-01-01', null], 'date', 2)).toEqual(['2026-01-01', null]);
  });
  test('an even series, split anywhere after two values, goes on as it was', () => {
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
  test('the handle fills along the longer way', () => {
    const range = { top: 2, bottom: 3, left: 1, right: 2 };
    expect(fillTarget(range, { line: 7, col: 3 })).toEqual({ way: 'down', range: { top: 4, bottom: 7, left: 1, right: 2 } });
    expect(fillTarget(range, { line: 0, col: 2 })).toEqual({ way: 'up', range: { top: 0, bottom: 1, left: 1, right: 2 } });
    expect(fillTarget(range, { line: 3, col: 5 })).toEqual({ way: 'right', range: { top: 2, bottom: 3, left: 3, right: 5 } });
    expect(fillTarget(range, { line: 2, col: 2 })).toBeNull();
  });
});

describe('gestures', () => {
  const column = (id: string, kind: string, more: Partial<GridColumn> = {}): GridColumn => ({
    id,
    title: id,
    width: 100,
    edit: 'text',
    kind,
    View: () => null,
    toText: String,
    ...more,
  });
  const rows = [1, 2, 3, 4].map((n) => ({ id: `r${String(n)}`, values: { n: String(n * 10), t: `t${String(n)}` } }));
  test('the handle writes what changes, and nothing into what is computed or locked', () => {
    const [first, second, third, fourth] = rows;
    if (!first || !second || !third || !fourth) throw new Error('rows');
    const target = { rows: [{ ...third, locked: true }, fourth], indexes: [2, 3] };
    const columns = [column('n', 'number', { series: 'number' }), column('t', 'text'), column('f', 'formula', { edit: 'none' })];
    expect(fillDownWrites([first, second], target, columns, true)).toEqual([{ rowId: 'r4', index: 3, column: 't', value: 't2' }]);
  });
  test('to the side values pass into columns of another kind only as far as these read them', () => {
    const number = column('n', 'number', { parse: (text) => (/^\d+$/.test(text) ? { value: text } : { fault: 'no' }) });
    const row = { id: 'r', values: { t: 'word', u: '7', n: null } };
    expect(fillSideWrites({ rows: [row], indexes: [5] }, [column('t', 'text')], [number])).toEqual([]);
    expect(fillSideWrites({ rows: [row], indexes: [5] }, [column('u', 'text')], [number])).toEqual([{ rowId: 'r', index: 5, column: 'n', value: '7' }]);
  });
  test('whatever is pasted, the request has as many texts in each row as columns, and no more columns than there are', () => {
    const columns = ['a', 'b', 'c'].map((id) => column(id, 'text'));
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { maxLength: 5 }), { maxLength: 5 }), fc.nat(2), fc.nat(3), (texts, left, more) => {
        const asked = pasteOf(texts, null, { top: 0, bottom: more, left, right: left }, columns, (count) => Array.from({ length: count }, (_, place) => place));
        for (const row of asked?.texts ?? []) expect(row).toHaveLength(asked?.columns.length ?? -1);
        expect((asked?.columns.length ?? 0) + left).toBeLessThanOrEqual(3);
        expect(asked === null).toBe(texts.every((row) => row.length === 0));
      }),
    );
  });
});

describe('lines', () => {
  const group = (id: string, depth: number, first: number, count: number): GridGroup => ({ id, depth, first, count, label: id, name: id });
  const groups = [group('a', 0, 0, 5), group('a1', 1, 0, 2), group('a2', 1, 2, 3), group('b', 0, 5, 4)];
  const seen = (folded: readonly string[]): string[] => {
    const lines = makeLines(10, 'short', groups, new Set(folded));
    return Array.from({ length: lines.count }, (_, line) => {
      const one = lines.at(line);
      return one?.kind === 'row' ? String(one.index) : (one?.group.id ?? '?');
    });
  };
  test('headings stand above their rows; what no group claims follows', () => {
    expect(seen([])).toEqual(['a', 'a1', '0', '1', 'a2', '2', '3', '4', 'b', '5', '6', '7', '8', '9']);
    expect(seen(['a'])).toEqual(['a', 'b', '5', '6', '7', '8', '9']);
    expect(seen(['a1', 'b'])).toEqual(['a', 'a1', 'a2', '2', '3', '4', 'b', '9']);
  });
  test('lines, places and pixels lead to one another and back', () => {
    fc.assert(
      fc.property(fc.subarray(['a', 'a1', 'a2', 'b']), fc.constantFrom('short' as const, 'tall' as const), (folded, height) => {
        const lines = makeLines(10, height, groups, new Set(folded));
        expect(lines.topOf(lines.count)).toBe(lines.height);
        for (let line = 0; line < lines.count; line += 1) {
          expect(lines.lineAt(lines.topOf(line))).toBe(line);
          expect(lines.lineAt(lines.topOf(line + 1) - 1)).toBe(line);
          const one = lines.at(line);
          if (one?.kind === 'row') expect(lines.lineOf(one.index)).toBe(line);
        }
        expect(lines.at(lines.count)).toBeNull();
      }),
    );
  });
});

describe('scrolling beyond what an element may be high', () => {
  test('both ends are reached, order is kept, and there is a way back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400_000_000 }),
        fc.integer({ min: 100, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (content, viewport, part) => {
          const scale = makeScale(content, viewport);
          expect(scale.physical).toBeLessThanOrEqual(6_000_000);
          expect(scale.toVirtual(0)).toBe(0);
          expect(scale.toVirtual(scale.physicalEnd)).toBe(scale.end);
          const virtual = Math.round(part * scale.end);
          const step = Math.max(1, content / scale.physical);
          expect(Math.abs(scale.toVirtual(scale.toPhysical(virtual)) - virtual)).toBeLessThanOrEqual(step);
          expect(scale.toVirtual(scale.toPhysical(virtual) + 1)).toBeGreaterThanOrEqual(scale.toVirtual(scale.toPhysical(virtual)));
        },
      ),
    );
  });
  test('a wheel moves the list by what it says, wherever it is; rest moves nothing that is seen', () => {
    const scale = makeScale(36_000_000, 700);
    let place: ScrollPlace = scrolled({ top: 0, virtual: 0 }, 3_000_000, scale);
    const from = place.virtual;
    for (let step = 1; step <= 50; step += 1) place = scrolled(place, place.top + 120, scale);
    expect(place.virtual - from).toBe(6000);
    expect(settled(place, scale)?.virtual ?? place.virtual).toBe(place.virtual);
  });
  test('every line is reached by the wheel alone, up to both ends', () => {
    const scale = makeScale(8_000_000, 700);
    let place: ScrollPlace = scrolled({ top: 0, virtual: 0 }, 4_000_000, scale);
    for (let step = 0; step < 4000 && place.virtual > 0; step += 1) {
      place = scrolled(place, Math.max(0, place.top - 3000), scale);
      if (step % 50 === 0 || stuck(place, scale)) place = settled(place, scale) ?? place;
    }
    expect(place).toEqual({ top: 0, virtual: 0 });
    for (let step = 0; step < 4000 && place.virtual < scale.end; step += 1) {
      place = scrolled(place, Math.min(scale.physicalEnd, place.top + 3000), scale);
      if (stuck(place, scale)) place = settled(place, scale) ?? place;
    }
    expect(place.virtual).toBe(scale.end);
  });
});

describe('columns', () => {
  const column = (id: string, width: number, pinned = false): GridColumn => ({
    id,
    title: id,
    width,
    pinned,
    edit: 'text',
    kind: 'text',
    View: () => null,
    toText: String,
  });
  const wide = layoutColumns([column('a', 100), column('b', 200, true), column('c', 300), column('d', 150, true)], 60, 1000);
  test('pinned columns stand first; a phone keeps one of them, and not too wide', () => {
    expect(wide.all.map((one) => [one.column.id, one.left])).toEqual([
      ['b', 60],
      ['d', 260],
      ['a', 410],
      ['c', 510],
    ]);
    expect([wide.pins, wide.pinned, wide.width]).toEqual([2, 410, 810]);
    const phone = layoutColumns([column('a', 100), column('b', 200, true), column('c', 300), column('d', 150, true)], 40, 390);
    expect(phone.all.map((one) => one.column.id)).toEqual(['b', 'a', 'c', 'd']);
    expect(phone.pinned).toBeLessThanOrEqual(195);
  });
  test('only what is seen is drawn, and a column comes into sight whole', () => {
    expect(columnsWithin(wide, 410, 500)).toEqual([2, 3]);
    expect(columnsWithin(wide, 505, 520)).toEqual([2, 4]);
    expect(columnAt(wide, 100, 400)).toBe(0);
    expect(columnAt(wide, 420, 100)).toBe(3);
    expect(scrollToColumn(wide, 3, 0, 600)).toBe(100 + 300 - 190 - 110);
    expect(scrollToColumn(wide, 0, 250, 600)).toBe(250);
  });
});

describe('choosing', () => {
  const bounds = { lines: 20, cols: 5, page: 8 };
  test('Shift reaches from the anchor, Ctrl adds, heads choose whole lines and columns', () => {
    const first = press(null, { line: 2, col: 1 }, { shift: false, ctrl: false });
    expect(rangeOf(press(first, { line: 0, col: 3 }, { shift: true, ctrl: false }))).toEqual({ top: 0, bottom: 2, left: 1, right: 3 });
    expect(rangesOf(press(first, { line: 9, col: 4 }, { shift: false, ctrl: true }))).toHaveLength(2);
    expect(rangeOf(pressBand(first, 'line', 5, bounds, { shift: true, ctrl: false }))).toEqual({ top: 2, bottom: 5, left: 0, right: 4 });
    expect(rangeOf(pressBand(null, 'col', 3, bounds, { shift: false, ctrl: false }))).toEqual({ top: 0, bottom: 19, left: 3, right: 3 });
  });
  test('no key leads out of the list, and Tab walks through all of it', () => {
    const moves = ['up', 'down', 'left', 'right', 'pageUp', 'pageDown', 'home', 'end', 'top', 'bottom', 'first', 'last'] as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...moves)), (keys) => {
        let cell = { line: 3, col: 3 };
        for (const key of keys) {
          cell = moved(cell, key, bounds, true);
          expect(cell.line >= -1 && cell.line < 20 && cell.col >= 0 && cell.col < 5).toBe(true);
        }
      }),
    );
    expect(moved({ line: 5, col: 0 }, 'pageUp', bounds, true).line).toBe(0);
    expect(moved({ line: 0, col: 0 }, 'up', bounds, false).line).toBe(0);
    expect(tabbed({ line: 0, col: 4 }, false, bounds)).toEqual({ line: 1, col: 0 });
    expect(tabbed({ line: 0, col: 0 }, true, bounds)).toBeNull();
    expect(tabbed({ line: 19, col: 4 }, false, bounds)).toBeNull();
  });
  test('a list that becomes smaller keeps what is left of the selection', () => {
    expect(clamped({ anchor: { line: 2, col: 0 }, head: { line: 19, col: 4 }, more: [] }, { ...bounds, lines: 10 })?.head).toEqual({ line: 9, col: 4 });
    expect(clamped(at({ line: 3, col: 3 }), { ...bounds, lines: 0 })).toBeNull();
  });
});

test('keys are those of spreadsheets', () => {
  const key = (name: string, more = '', head = false) =>
    commandOf({ key: name, ctrlKey: more.includes('c'), metaKey: false, shiftKey: more.includes('s'), altKey: more.includes('a') }, head);
  expect(key('ArrowDown', 's')).toEqual({ do: 'move', move: 'down', extend: true });
  expect(key('End', 'cs')).toEqual({ do: 'move', move: 'last', extend: true });
  expect(key('Z', 'cs')).toEqual({ do: 'redo' });
  expect(key('y', 'c')).toEqual({ do: 'redo' });
  expect(key(' ')).toEqual({ do: 'open' });
  expect(key(' ', 'c')).toEqual({ do: 'column' });
  expect(key('ArrowLeft', 'a', true)).toEqual({ do: 'moveColumn', by: -1 });
  expect(key('ArrowLeft', 'a')).toBeNull();
  // What the browser needs for itself, and what begins a word.
  for (const name of ['c', 'v', 'x', 'r', 'f', 't']) expect(key(name, 'c')).toBeNull();
  expect(key('a')).toBeNull();
});
