import { useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { leastWidth, mostWidth } from './columns';
import type { ColumnLayout } from './columns';
import { commandOf } from './keys';
import type { Command } from './keys';
import type { Lines } from './lines';
import { at, isOne, moved, pressBand, rangeOf, tabbed } from './selection';
import type { Bounds, Move, Selection } from './selection';
import type { GridProps } from './types';
import type { EditState } from './useEditing';
import type { GridView } from './useGridView';
import type { Menus } from './useMenus';
import type { Chosen } from './useSelection';
import type { Writes } from './useWrites';

type Parts = {
  readonly props: GridProps;
  readonly lines: Lines;
  readonly layout: ColumnLayout;
  readonly bounds: Bounds;
  readonly chosen: Chosen;
  readonly view: GridView;
  readonly edit: EditState;
  readonly writes: Writes;
  readonly menus: Menus;
  readonly catcher: RefObject<HTMLTextAreaElement | null>;
  readonly go: (next: Selection, follow?: 'anchor' | 'head') => void;
};
const arrows: Record<string, Move> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** The keys of the grid, while it is looked at and while something is typed into a cell. */
export function useKeyboard({ props, lines, layout, bounds, chosen, view, edit, writes, menus, go, catcher }: Parts) {
  /** Escape with nothing left to give up: the next Tab leaves the grid instead of walking on in it. */
  const leaving = useRef(false);

  const typing = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const keep = (way: 'down' | 'up' | 'left' | 'right'): void => {
      event.preventDefault();
      edit.commit(way);
    };
    if (key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      edit.cancel();
    } else if (key === 'Enter' && !altKey) keep(shiftKey ? 'up' : 'down');
    else if (key === 'Tab') keep(shiftKey ? 'left' : 'right');
    else if (edit.editing?.typed !== null && !shiftKey && !ctrlKey && !metaKey && !altKey) {
      const way = arrows[key];
      if (way === 'up' || way === 'down' || way === 'left' || way === 'right') keep(way);
    }
  };

  const groupOn = (line: number) => {
    const one = lines.at(line);
    return one?.kind === 'group' ? one : null;
  };
  const fold = (folded: boolean): void => {
    // The heading above the active line, or the active line itself.
    for (let line = chosen.selection?.anchor.line ?? -1; line >= 0; line -= 1) {
      const one = groupOn(line);
      if (!one) continue;
      props.onFold?.(one.group.id, folded);
      return go(at({ line, col: 0 }));
    }
  };
  const moveRows = (by: -1 | 1): void => {
    const range = chosen.selection && rangeOf(chosen.selection);
    if (!range || !props.onMoveRows) return;
    const [from, to] = [chosen.indexOf(range.top), chosen.indexOf(range.bottom)];
    if (from === null || to === null) return;
    const before = by < 0 ? from - 1 : to + 2;
    if (before < 0 || before > props.source.count()) return;
    props.onMoveRows(from, to + 1, before);
    const shift = <T extends { line: number }>(cell: T): T => ({ ...cell, line: cell.line + by });
    if (chosen.selection) go({ anchor: shift(chosen.selection.anchor), head: shift(chosen.selection.head), more: [] });
  };
  const widen = (col: number, by: -1 | 1): void => {
    const one = layout.all[col];
    if (one) props.onWidth?.(one.column.id, Math.max(leastWidth, Math.min(mostWidth, one.width + by * 16)));
  };

  const actAnywhere = (command: Command): boolean => {
    const run = command.do === 'undo' ? props.onUndo : command.do === 'redo' ? props.onRedo : undefined;
    run?.();
    return run !== undefined;
  };
  const act = (command: Command, selection: Selection, event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { anchor, head } = selection;
    const group = groupOn(anchor.line);
    switch (command.do) {
      case 'move': {
        if (group && !command.extend && (command.move === 'left' || command.move === 'right')) {
          props.onFold?.(group.group.id, command.move === 'left');
          return true;
        }
        if (command.extend) go({ ...selection, head: moved(head, command.move, bounds, false) }, 'head');
        else go(at(moved(anchor, command.move, bounds, true)));
        return true;
      }
      case 'tab': {
        const next = leaving.current || anchor.line < 0 ? null : tabbed(anchor, command.back, bounds);
        leaving.current = false;
        if (next) go(at(next));
        return next !== null;
      }
      case 'edit':
        if (anchor.line < 0) openHead(anchor.col);
        else if (group) props.onFold?.(group.group.id, !group.folded);
        else edit.begin(null);
        return true;
      case 'open': {
        if (anchor.line < 0) openHead(anchor.col);
        else if (group) props.onFold?.(group.group.id, !group.folded);
        else if (layout.all[anchor.col]?.column.edit === 'toggle' && event.key === ' ') edit.begin(null);
        else if (chosen.row && chosen.index !== null) props.onOpen?.(chosen.row, chosen.index, chosen.column ?? undefined);
        return true;
      }
      case 'clear':
        writes.clear();
        return true;
      case 'all':
        if (bounds.lines > 0) chosen.setSelection({ anchor: { line: 0, col: 0 }, head: { line: bounds.lines - 1, col: bounds.cols - 1 }, more: [] });
        return true;
      case 'row':
        if (anchor.line >= 0) chosen.setSelection(pressBand(selection, 'line', head.line, bounds, { shift: true, ctrl: false }));
        return true;
      case 'column':
        chosen.setSelection(pressBand(selection, 'col', head.col, bounds, { shift: true, ctrl: false }));
        return true;
      case 'undo':
      case 'redo':
        return actAnywhere(command);
      case 'fillDown':
        writes.fillDown();
        return true;
      case 'menu': {
        if (anchor.line < 0) openHead(anchor.col);
        else {
          view.reveal(anchor);
          const box = view.boxOf(anchor);
          const frame = catcher.current?.parentElement?.getBoundingClientRect();
          if (box && frame) menus.openCell(frame.left + box.left + 16, frame.top + box.top + box.height);
        }
        return true;
      }
      case 'escape':
        leaving.current = isOne(selection);
        if (!isOne(selection)) chosen.setSelection(at(anchor));
        return true;
      case 'moveColumn':
        menus.moveColumn(anchor.col, command.by);
        return true;
      case 'widen':
        widen(anchor.col, command.by);
        return true;
      case 'moveRows':
        moveRows(command.by);
        return true;
      case 'fold':
        fold(command.folded);
        return true;
    }
  };
  const openHead = (col: number): void => {
    const button = catcher.current?.parentElement?.querySelector<HTMLElement>(`[data-hcol="${String(col)}"] .g-hmenu`);
    if (button) menus.openColumn(col, button);
  };

  return (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Keys of an input method that composes are its own; 229 is what browsers say of the first of them.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || edit.editing?.kind === 'waiting') return;
    if (edit.editing) return edit.editing.kind === 'text' ? typing(event) : undefined;
    const { selection } = chosen;
    if (event.key !== 'Tab' && event.key !== 'Shift') leaving.current = false;
    const command = commandOf(event, selection?.anchor.line === -1);
    if (!command) return;
    // Undoing needs no cell: after the last record has gone there is none.
    if (selection ? act(command, selection, event) : actAnywhere(command)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}
