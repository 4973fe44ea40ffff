import { copySelection } from './copying';
import { clearWrites, fillDownWrites, fillTargetWrites } from './fillWrites';
import { indexesOf } from './gestureRows';
import type { GridModel } from './gridModel';
import { pasteTarget, readPaste } from './pasting';
import { activeRange, allRanges } from './selection';
import type { Range, fillTarget } from './selection';
import type { CellWrite, WriteKind } from './types';
import { useRowLoader } from './useRowLoader';
import type { SelectionState } from './useSelection';

/** Copies, pastes, clears and fills the selection. Rows that are not loaded are loaded first. */
export function useWrites(model: GridModel, selectionState: SelectionState, announce: (text: string) => void) {
  const { props, labels, displayRows, layout } = model;
  const { onWrite, onPaste, onNotice } = props;
  const { selection, setSelection } = selectionState;
  const loader = useRowLoader(model);
  const columnsOf = ({ left, right }: Range) => layout.all.slice(left, right + 1).map(({ column }) => column);
  const select = ({ top, bottom, left, right }: Range): void =>
    setSelection({ anchor: { displayIndex: top, col: left }, head: { displayIndex: bottom, col: right }, more: [] });

  const send = (writes: readonly CellWrite[], how: WriteKind): void => {
    if (writes.length > 0) onWrite?.(writes, how);
  };
  /** Whether nothing in the range is writable; if so, shows a notice. */
  const refuses = (range: Range): boolean => {
    if (onWrite && columnsOf(range).some(({ edit }) => edit !== 'none')) return false;
    onNotice?.(labels.t('readOnly'));
    return true;
  };

  const clear = (how: 'clear' | 'cut' = 'clear'): void => {
    for (const range of selection ? allRanges(selection) : []) {
      if (!refuses(range)) loader.withRows(range, ({ rows, indexes }) => send(clearWrites(rows, indexes, columnsOf(range)), how));
    }
  };
  const copy = (clipboard: DataTransfer | null, cut: boolean): boolean =>
    selection !== null &&
    copySelection(model, selection, loader, clipboard, announce, () => {
      if (cut) clear('cut');
    });

  const paste = (clipboard: DataTransfer | null): void => {
    if (!clipboard || !onPaste) return;
    const target = pasteTarget(model, selection && activeRange(selection));
    if (!target) return;
    const { range, columns, isEmptyList } = target;
    if (!isEmptyList && refuses(range)) return;
    if (columns.length === 0) return onNotice?.(labels.t('readOnly'));
    const request = readPaste(clipboard, range, columns, displayRows);
    if (request === 'tooMany') return loader.notifyTooMany();
    if (!request) return;
    onPaste(request);
    const bottom = Math.min(displayRows.count - 1, range.top + request.texts.length - 1);
    if (!isEmptyList) select({ top: range.top, bottom, left: range.left, right: range.left + request.columns.length - 1 });
  };

  /** The fill handle: continues `range` into `target`, and selects both. */
  const fill = (range: Range, target: NonNullable<ReturnType<typeof fillTarget>>): void => {
    if (refuses(target.range)) return;
    const whole = {
      top: Math.min(range.top, target.range.top),
      bottom: Math.max(range.bottom, target.range.bottom),
      left: Math.min(range.left, target.range.left),
      right: Math.max(range.right, target.range.right),
    };
    const columns = { source: columnsOf(range), target: columnsOf(target.range) };
    loader.withRows(whole, (found) => send(fillTargetWrites(found, new Set(indexesOf(displayRows, range) ?? []), target.way, columns), 'fill'));
    select(whole);
  };
  /** Ctrl+D: copies the first row of the range to the others; a single row is filled from the row above. */
  const fillDown = (): void => {
    if (!selection) return;
    const range = activeRange(selection);
    const top = range.top === range.bottom ? range.top - 1 : range.top;
    if (top < 0 || refuses(range)) return;
    loader.withRows({ top, bottom: range.bottom }, ({ rows: [first, ...others], indexes }) => {
      if (first) send(fillDownWrites([first], { rows: others, indexes: indexes.slice(1) }, columnsOf(range), false), 'fill');
    });
  };
  return { clear, copy, paste, fill, fillDown };
}
export type Writes = ReturnType<typeof useWrites>;
