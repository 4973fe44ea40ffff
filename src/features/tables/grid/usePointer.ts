import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { MouseEvent, PointerEvent as ReactPointerEvent, RefObject } from 'react';
import { leastWidth, mostWidth } from './columns';
import type { ColumnLayout } from './columns';
import type { Lines } from './lines';
import { fillTarget, press, pressBand, rangeOf, within } from './selection';
import type { Bounds, Cell, Selection } from './selection';
import type { GridProps } from './types';
import type { EditState } from './useEditing';
import type { GridView } from './useGridView';
import type { Menus } from './useMenus';
import type { Chosen } from './useSelection';
import type { Writes } from './useWrites';

/** What is being dragged, with what the overlay shows of it. */
export type Drag =
  | { readonly kind: 'cells' | 'lines' | 'cols' }
  | { readonly kind: 'fill'; readonly to: Cell }
  | { readonly kind: 'rows'; readonly from: number; readonly to: number; /** Line before which they would come to stand. */ readonly before: number }
  | {
      readonly kind: 'column';
      readonly id: string;
      readonly x: number;
      /** Place before which it would stand; null while it has hardly moved. */ readonly before: number | null;
    }
  | { readonly kind: 'width'; readonly id: string; readonly x: number; readonly from: number; readonly width: number };

const longPress = 450;
const doubleTap = 350;
const edge = 32;
/** A finger that stays within so many px does not move. */
const still = 8;

type Parts = {
  readonly props: GridProps;
  readonly lines: Lines;
  readonly layout: ColumnLayout;
  readonly bounds: Bounds;
  readonly chosen: Chosen;
  readonly view: GridView;
  readonly edit: EditState;
  readonly writes: Writes;
  readonly menus: Pick<Menus, 'openCell'>;
  readonly scroller: RefObject<HTMLDivElement | null>;
};
const numberOf = (element: Element | null | undefined, name: string): number | null => {
  const text = element?.getAttribute(name);
  return text === null || text === undefined ? null : Number(text);
};

/**
 * Mouse, pen and finger. A mouse chooses while it is pressed. A finger scrolls, chooses with a tap, edits with two; pressed long it opens the menu of a cell,
 * chooses cells when it goes on from there, and ticks a row at its head.
 */
export function usePointer({ props, lines, layout, bounds, chosen, view, edit, writes, menus, scroller }: Parts) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const pointer = useRef({ x: 0, y: 0, id: -1 });
  const moved = useRef(false);
  const hold = useRef(0);
  /** Where a finger has been pressed long; the click that follows is none. */
  const held = useRef<{ x: number; y: number } | null>(null);
  const tap = useRef({ line: -2, col: -2, time: 0 });
  const { selection, setSelection } = chosen;

  /** The column before whose left half the pointer is. */
  const dropColumn = (clientX: number): number => {
    const x = view.listX(clientX);
    const scroll = scroller.current?.scrollLeft ?? 0;
    const found = layout.all.find((one) => x < (one.at < layout.pins ? one.left : one.left - scroll) + one.width / 2);
    return found?.at ?? layout.all.length;
  };
  const follow = useEffectEvent((clientX: number, clientY: number) => {
    if (!drag) return;
    if (drag.kind === 'width') {
      setDrag({ ...drag, width: Math.max(leastWidth, Math.min(mostWidth, Math.round(drag.from + clientX - drag.x))) });
      return;
    }
    if (drag.kind === 'column') {
      if (drag.before === null && Math.abs(clientX - drag.x) < 5) return;
      setDrag({ ...drag, before: dropColumn(clientX) });
      return;
    }
    const cell = view.cellAt(clientX, clientY);
    if (drag.kind === 'fill') setDrag({ kind: 'fill', to: cell });
    else if (drag.kind === 'rows') {
      const middle = (lines.topOf(cell.line) + lines.topOf(cell.line + 1)) / 2;
      setDrag({ ...drag, before: view.listY(clientY) > middle ? cell.line + 1 : cell.line });
    } else if (selection) {
      const head = { line: drag.kind === 'cols' ? bounds.lines - 1 : cell.line, col: drag.kind === 'lines' ? bounds.cols - 1 : cell.col };
      if (head.line !== selection.head.line || head.col !== selection.head.col) setSelection({ ...selection, head });
    }
  });
  const finish = useEffectEvent((kept: boolean) => {
    const done = drag;
    setDrag(null);
    clearTimeout(hold.current);
    if (!done || !kept) return;
    const { x, y } = pointer.current;
    if (done.kind === 'cells' && held.current && Math.hypot(x - held.current.x, y - held.current.y) <= still) return menus.openCell(x, y);
    if (done.kind === 'width') {
      if (done.width !== done.from) props.onWidth?.(done.id, done.width);
    } else if (done.kind === 'fill' && selection) {
      const target = fillTarget(rangeOf(selection), done.to);
      if (target) writes.fill(rangeOf(selection), target);
    } else if (done.kind === 'rows') {
      const before = chosen.indexOf(done.before) ?? (done.before >= lines.count ? props.source.count() : null);
      if (before !== null && (before < done.from || before > done.to)) props.onMoveRows?.(done.from, done.to, before);
    } else if (done.kind === 'column' && done.before !== null) {
      const at = layout.all.findIndex((one) => one.column.id === done.id);
      if (done.before !== at && done.before !== at + 1) {
        props.onMoveColumn?.(
          done.id,
          layout.all[done.before]?.column.id ?? null,
          done.before < layout.pins || (at < layout.pins && done.before === layout.pins),
        );
      }
    }
  });

  const dragging = drag !== null;
  useEffect(() => {
    if (!dragging) return;
    let frame = 0;
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== pointer.current.id) return;
      pointer.current = { x: event.clientX, y: event.clientY, id: event.pointerId };
      moved.current = true;
      follow(event.clientX, event.clientY);
    };
    const up = (event: PointerEvent): void => {
      if (event.pointerId === pointer.current.id) finish(event.type === 'pointerup');
    };
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      finish(false);
    };
    // Near an edge the list comes towards the pointer, faster the further it is out.
    const pull = (): void => {
      const element = scroller.current;
      if (element && moved.current) {
        const box = element.getBoundingClientRect();
        const { x, y } = pointer.current;
        const towards = (low: number, high: number, now: number): number => (now < low + edge ? now - low - edge : Math.max(0, now - high + edge)) / 2;
        const down = towards(box.top + 36, box.bottom, y);
        const right = towards(box.left + layout.pinned, box.right, x);
        if (down !== 0 || right !== 0) {
          element.scrollBy(right, down);
          follow(x, y);
        }
      }
      frame = requestAnimationFrame(pull);
    };
    // While a finger chooses it must not scroll.
    const stay = (event: TouchEvent): void => event.preventDefault();
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
    addEventListener('keydown', key, true);
    document.addEventListener('touchmove', stay, { passive: false });
    frame = requestAnimationFrame(pull);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
      removeEventListener('keydown', key, true);
      document.removeEventListener('touchmove', stay);
    };
  }, [dragging, scroller, layout]);

  const choose = (next: Selection): void => {
    setSelection(next);
    edit.focus();
  };
  const start = (next: Drag, event: { clientX: number; clientY: number; pointerId: number }): void => {
    pointer.current = { x: event.clientX, y: event.clientY, id: event.pointerId };
    moved.current = false;
    setDrag(next);
  };

  /** Ticks a row when a finger stays on its head. */
  const holdRow = (line: number | null): void => {
    hold.current = window.setTimeout(() => {
      const index = line === null ? null : chosen.indexOf(line);
      const row = index === null ? undefined : props.source.row(index);
      if (!row || !props.onCheck) return;
      held.current = { ...pointer.current };
      props.onCheck([row.id], !(props.checkedAll === true || props.checked?.has(row.id) === true));
    }, longPress);
  };

  const onPointerDown = (event: ReactPointerEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!(target instanceof Element) || !event.isPrimary) return;
    const button = target.closest('button, input, [data-stop]');
    const finger = event.pointerType === 'touch';
    held.current = null;
    if (finger) {
      clearTimeout(hold.current);
      pointer.current = { x: event.clientX, y: event.clientY, id: event.pointerId };
      if (target.closest('[data-rowhead]') && !target.closest('[data-grip]')) return holdRow(numberOf(target.closest('[data-line]'), 'data-line'));
    }
    // The focus stays with the field that types; buttons are pressed all the same.
    if (event.pointerType === 'mouse' && !target.closest('a')) event.preventDefault();
    if (button && !button.hasAttribute('data-toggle')) return;
    if (!edit.commit()) return;
    const keys = { shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey };
    const left = event.button === 0;
    const head = target.closest('[data-hcol]');
    const col = numberOf(head ?? target.closest('[data-col]'), head ? 'data-hcol' : 'data-col');
    const line = numberOf(target.closest('[data-line]'), 'data-line');

    if (target.closest('[data-handle]')) {
      if (left && selection) start({ kind: 'fill', to: selection.head }, event);
      return;
    }
    if (head && col !== null) {
      const placed = layout.all[col];
      if (!placed || !left) return;
      if (target.closest('[data-resize]'))
        return start({ kind: 'width', id: placed.column.id, x: event.clientX, from: placed.width, width: placed.width }, event);
      if (finger) return;
      choose(pressBand(selection, 'col', col, bounds, keys));
      if (props.onMoveColumn && !keys.shift && !keys.ctrl) start({ kind: 'column', id: placed.column.id, x: event.clientX, before: null }, event);
      else start({ kind: 'cols' }, event);
      return;
    }
    if (line === null) return;
    if (target.closest('[data-rowhead]')) {
      const index = chosen.indexOf(line);
      if (target.closest('[data-grip]') && index !== null && left) {
        const range = selection && rangeOf(selection);
        const whole =
          range && range.left === 0 && range.right === bounds.cols - 1 && line >= range.top && line <= range.bottom ? range : { top: line, bottom: line };
        const [from, to] = [chosen.indexOf(whole.top), chosen.indexOf(whole.bottom)];
        return start({ kind: 'rows', from: from ?? index, to: (to ?? index) + 1, before: line }, event);
      }
      const range = selection && rangeOf(selection);
      if (!left && range && line >= range.top && line <= range.bottom) return;
      choose(pressBand(selection, 'line', line, bounds, keys));
      if (left) start({ kind: 'lines' }, event);
      return;
    }
    if (col === null) return;
    const cell = { line, col };
    if (finger) {
      const { clientX, clientY, pointerId } = event;
      hold.current = window.setTimeout(() => {
        held.current = { x: clientX, y: clientY };
        choose(press(null, cell, { shift: false, ctrl: false }));
        start({ kind: 'cells' }, { clientX, clientY, pointerId });
      }, longPress);
      return;
    }
    if (!left) {
      if (!selection || !within(rangeOf(selection), cell)) choose(press(null, cell, { shift: false, ctrl: false }));
      return;
    }
    choose(press(selection, cell, keys));
    if (!target.closest('a')) start({ kind: 'cells' }, event);
  };
  /** A finger that moves scrolls: it is no long press. */
  const onPointerMove = (event: ReactPointerEvent<HTMLDivElement>): void => {
    if (event.pointerType === 'touch' && !dragging && Math.hypot(event.clientX - pointer.current.x, event.clientY - pointer.current.y) > still)
      clearTimeout(hold.current);
  };
  const onPointerEnd = (): void => clearTimeout(hold.current);

  /** A tap, or a second press of the mouse. */
  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const line = numberOf(target.closest('[data-line]'), 'data-line');
    const col = numberOf(target.closest('[data-col]'), 'data-col');
    if (line === null || col === null) return;
    const finger = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    if (target.closest('[data-toggle]')) {
      setSelection(press(null, { line, col }, { shift: false, ctrl: false }));
      return edit.begin(null, { line, col });
    }
    if (target.closest('button, input, a') || !finger) return;
    const now = performance.now();
    const again = tap.current.line === line && tap.current.col === col && now - tap.current.time < doubleTap;
    tap.current = { line, col, time: now };
    if (again) return edit.begin(null, { line, col });
    if (edit.commit()) choose(press(null, { line, col }, { shift: false, ctrl: false }));
  };
  const onDoubleClick = (event: MouseEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('button, input, a')) return;
    if (target.closest('[data-col]') && numberOf(target.closest('[data-line]'), 'data-line') !== null && !edit.editing) edit.begin(null);
  };
  /** The click that comes behind a long press. */
  const isHeld = (): boolean => {
    const was = held.current !== null;
    held.current = null;
    return was;
  };
  return { drag, isHeld, onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd, onClick, onDoubleClick };
}
