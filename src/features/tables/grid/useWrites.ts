import { useRef } from 'react';
import type { ColumnLayout } from './columns';
import { blockOf, clearWrites, clipType, fillDownWrites, fillSideWrites, indexesOf, mostRows, pasteOf, printBlock, readBlock, rowsAt } from './gestures';
import type { Block, Rows } from './gestures';
import type { Lines } from './lines';
import { rangeOf, rangesOf } from './selection';
import type { Range, fillTarget } from './selection';
import { parseTsv, printHtml, printTsv } from './tsv';
import type { CellWrite, GridProps, GridRow, WriteHow } from './types';
import type { GridWords } from './useGridWords';
import type { Chosen } from './useSelection';

const reason = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** Copying, pasting, emptying and filling of what is chosen. What is not known of it is loaded first. */
export function useWrites(props: GridProps, lines: Lines, layout: ColumnLayout, chosen: Chosen, words: GridWords, say: (text: string) => void) {
  const { source, onWrite, onPaste, onAddRow, onNotice } = props;
  const { selection } = chosen;
  const running = useRef<AbortController | null>(null);
  const columnsOf = ({ left, right }: Range) => layout.all.slice(left, right + 1).map((one) => one.column);

  /** Runs with the rows of a range, at once if they are known. */
  const withRows = (range: Pick<Range, 'top' | 'bottom'>, run: (found: Rows) => void): void => {
    const indexes = indexesOf(lines, range);
    if (indexes === null) return onNotice?.(words.t('tooMany', { limit: words.number(mostRows) }));
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const rows = rowsAt(source, indexes, control.signal);
    if (!(rows instanceof Promise)) return run({ rows, indexes });
    rows
      .then((found) => {
        if (!control.signal.aborted) run({ rows: found, indexes });
      })
      .catch((fault: unknown) => {
        if (!control.signal.aborted) onNotice?.(words.t('loadFailed', { reason: reason(fault) }));
      });
  };
  const send = (writes: readonly CellWrite[], how: WriteHow): void => {
    if (writes.length > 0) onWrite?.(writes, how);
  };
  const allReadOnly = (range: Range): boolean => {
    if (onWrite && columnsOf(range).some((column) => column.edit !== 'none')) return false;
    onNotice?.(words.t('readOnly'));
    return true;
  };

  const clear = (how: 'clear' | 'cut' = 'clear'): void => {
    if (!selection) return;
    for (const range of rangesOf(selection)) {
      if (allReadOnly(range)) continue;
      withRows(range, ({ rows, indexes }) => send(clearWrites(rows, indexes, columnsOf(range)), how));
    }
  };

  const said = (rows: number, columns: number): void => say(words.t('copied', { rows, columns }));
  const blockFrom = (rows: readonly GridRow[], range: Range): Block => blockOf(rows, columnsOf(range));
  /** Ranges that stand below one another in the same columns are copied as one; of others the last. */
  const copied = (): Range[] => {
    if (!selection) return [];
    const last = rangeOf(selection);
    const ranges = rangesOf(selection);
    return ranges.every((one) => one.left === last.left && one.right === last.right) ? [...ranges].sort((a, b) => a.top - b.top) : [last];
  };
  /** Answers a copy or cut of the browser; false: there is nothing to copy. */
  const copy = (clipboard: DataTransfer | null, cut: boolean): boolean => {
    const ranges = copied();
    const last = ranges.at(-1);
    if (!last || last.bottom < 0) return false;
    const lists = ranges.map((range) => indexesOf(lines, range));
    const indexes = [...new Set(lists.flatMap((list) => list ?? []))];
    if (lists.includes(null) || indexes.length > mostRows) {
      onNotice?.(words.t('tooMany', { limit: words.number(mostRows) }));
      return true;
    }
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const rows = rowsAt(source, indexes, control.signal);
    const done = (block: Block): void => {
      said(block.texts.length, block.kinds.length);
      if (cut) clear('cut');
    };
    if (!(rows instanceof Promise) && clipboard) {
      const block = blockFrom(rows, last);
      clipboard.setData('text/plain', printTsv(block.texts));
      clipboard.setData('text/html', printHtml(block.texts));
      clipboard.setData(clipType, printBlock(block));
      done(block);
      return true;
    }
    say(words.t('copying', { rows: words.number(indexes.length) }));
    const ready = Promise.resolve(rows).then((found) => blockFrom(found, last));
    const blob = (type: string, print: (texts: readonly (readonly string[])[]) => string): Promise<Blob> =>
      ready.then((block) => new Blob([print(block.texts)], { type }));
    // The browser allows writing only within the gesture: it gets promises now, and their texts later.
    const item =
      typeof ClipboardItem === 'undefined'
        ? null
        : new ClipboardItem({ 'text/plain': blob('text/plain', printTsv), 'text/html': blob('text/html', printHtml) });
    const finish = async (): Promise<void> => {
      if (!item) throw new Error(words.t('copyRefused'));
      await navigator.clipboard.write([item]);
      done(await ready);
    };
    finish().catch((fault: unknown) => {
      const refused = fault instanceof DOMException && fault.name === 'NotAllowedError';
      if (!control.signal.aborted) onNotice?.(words.t('copyFailed', { reason: refused ? words.t('copyRefused') : reason(fault) }));
    });
    return true;
  };

  const paste = (clipboard: DataTransfer | null): void => {
    if (!clipboard || !onPaste) return;
    // An empty list has no cell to begin at: what is pasted becomes new rows, in the columns that can be written.
    const isEmpty = lines.count === 0 && onAddRow !== undefined;
    const range = isEmpty ? { top: 0, bottom: 0, left: 0, right: 0 } : selection && rangeOf(selection);
    if (!range || range.top < 0 || (!isEmpty && allReadOnly(range))) return;
    const all = layout.all.map((one) => one.column);
    const columns = isEmpty ? all.filter((column) => column.edit !== 'none') : all;
    if (columns.length === 0) return onNotice?.(words.t('readOnly'));
    const texts = parseTsv(clipboard.getData('text/plain'));
    const cols = Math.max(0, ...texts.map((row) => row.length));
    const after = (count: number): number[] => {
      const found: number[] = [];
      for (let line = range.top; line < lines.count && found.length < count; line += 1) {
        const index = chosen.indexOf(line);
        if (index !== null) found.push(index);
      }
      return found;
    };
    const request = pasteOf(texts, readBlock(clipboard.getData(clipType), texts.length, cols), range, columns, after);
    if (!request) return;
    if (request.texts.length > mostRows) return onNotice?.(words.t('tooMany', { limit: words.number(mostRows) }));
    onPaste(request);
    if (isEmpty) return;
    // What was pasted is what is chosen afterwards.
    chosen.setSelection({
      anchor: { line: range.top, col: range.left },
      head: { line: Math.min(lines.count - 1, range.top + request.texts.length - 1), col: range.left + request.columns.length - 1 },
      more: [],
    });
  };

  const fill = (range: Range, target: NonNullable<ReturnType<typeof fillTarget>>): void => {
    if (allReadOnly(target.range)) return;
    const { way } = target;
    const whole = { top: Math.min(range.top, target.range.top), bottom: Math.max(range.bottom, target.range.bottom) };
    withRows(whole, ({ rows, indexes }) => {
      const back = way === 'up' || way === 'left';
      const turned = <T>(list: readonly T[]): readonly T[] => (back ? [...list].reverse() : list);
      if (way === 'right' || way === 'left') {
        return send(fillSideWrites({ rows, indexes }, turned(columnsOf(range)), turned(columnsOf(target.range))), 'fill');
      }
      const of = new Set(indexesOf(lines, range) ?? []);
      const begun = turned(rows.filter((_, place) => of.has(indexes[place] ?? -1)));
      const places = turned(indexes.map((_, place) => place).filter((place) => !of.has(indexes[place] ?? -1)));
      send(
        fillDownWrites(
          begun,
          { rows: places.flatMap((place) => rows[place] ?? []), indexes: places.map((place) => indexes[place] ?? 0) },
          columnsOf(range),
          true,
        ),
        'fill',
      );
    });
    chosen.setSelection({
      anchor: { line: whole.top, col: Math.min(range.left, target.range.left) },
      head: { line: whole.bottom, col: Math.max(range.right, target.range.right) },
      more: [],
    });
  };
  /** Ctrl+D: the first row of the range over the others; a single row takes what is above it. */
  const fillDown = (): void => {
    if (!selection) return;
    const range = rangeOf(selection);
    const top = range.top === range.bottom ? range.top - 1 : range.top;
    if (top < 0 || allReadOnly(range)) return;
    withRows({ top, bottom: range.bottom }, ({ rows, indexes }) => {
      const [first, ...others] = rows;
      if (first) send(fillDownWrites([first], { rows: others, indexes: indexes.slice(1) }, columnsOf(range), false), 'fill');
    });
  };
  return { clear, copy, paste, fill, fillDown, send };
}
export type Writes = ReturnType<typeof useWrites>;
