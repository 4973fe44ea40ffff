import { useEffect, useEffectEvent, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ClipboardEvent, MouseEvent } from 'react';
import { Icon } from '@/ui/Icon';
import { EditorPanel } from './EditorPanel';
import { Foot, Head } from './Head';
import { Overlays } from './Overlays';
import { GroupRow, Row, cellId, waitingCells } from './Row';
import type { RowOptions } from './Row';
import { layoutColumns } from './columns';
import './grid.css';
import './gridHead.css';
import './gridOver.css';
import { footHeight, groupHeight, headHeight, makeLines } from './lines';
import { at, pressBand, rangesOf, within } from './selection';
import type { Selection } from './selection';
import type { GridProps } from './types';
import { useEditing } from './useEditing';
import { useFitting } from './useFitting';
import { useGridView, useSize } from './useGridView';
import { useGridWords } from './useGridWords';
import { useKeyboard } from './useKeyboard';
import { useMenus } from './useMenus';
import { usePointer } from './usePointer';
import { useSelection } from './useSelection';
import { useWanted } from './useWanted';
import { useWrites } from './useWrites';

const noOthers: NonNullable<GridProps['others']> = [];

/**
 * The spreadsheet of content tables. It draws only what is seen of a list of any length, and knows neither where rows come from nor what becomes of
 * changes: rows are asked of `source`, and every gesture is one call.
 */
export const Grid = (props: GridProps) => {
  const { columns, source, height = 'short', groups, folded, label, others = noOthers } = props;
  const id = useId();
  const words = useGridWords();
  const { t } = words;
  const scroller = useRef<HTMLDivElement>(null);
  const catcher = useRef<HTMLTextAreaElement>(null);
  const bubble = useRef<HTMLDivElement>(null);
  const size = useSize(scroller);
  const version = useSyncExternalStore(source.subscribe, source.version);
  const count = source.count();
  const [trial, setTrial] = useState<{ id: string; width: number } | null>(null);
  const [status, say] = useState('');

  const lines = useMemo(() => makeLines(count, height, groups, folded), [count, height, groups, folded]);
  const tools = (props.onCheck ? 22 : 0) + (props.onOpen ? 22 : 0) + (props.onMoveRows ? 14 : 0);
  const headWidth = size.width < 600 ? 44 : 12 + Math.max(3, String(count).length) * 7.5 + Math.max(tools, 10);
  const layout = useMemo(
    () => layoutColumns(trial ? columns.map((one) => (one.id === trial.id ? { ...one, width: trial.width } : one)) : columns, headWidth, size.width),
    [columns, headWidth, size.width, trial],
  );
  const hasFoot = props.onFooter !== undefined || columns.some((one) => one.footer);
  const addHeight = props.onAddRow ? groupHeight : 0;
  const view = useGridView(scroller, lines, layout, size, addHeight + 24, hasFoot ? footHeight : 0);
  const bounds = useMemo(
    () => ({ lines: lines.count, cols: layout.all.length, page: Math.max(1, Math.floor(view.seen / lines.rowHeight) - 1) }),
    [lines, layout, view.seen],
  );
  const chosen = useSelection(props, lines, layout, bounds, version);
  const { selection } = chosen;
  const go = (next: Selection, follow: 'anchor' | 'head' = 'anchor'): void => {
    chosen.setSelection(next);
    view.reveal(next[follow]);
  };
  const edit = useEditing(catcher, props, layout, bounds, chosen, words, go);
  const writes = useWrites(props, lines, layout, chosen, words, say);
  const fit = useFitting(scroller, props.onWidth);
  const menus = useMenus(props, layout, chosen, edit, writes, words, fit);
  const pointer = usePointer({ props, lines, layout, bounds, chosen, view, edit, writes, menus, scroller });
  const onKeyDown = useKeyboard({ props, lines, layout, bounds, chosen, view, edit, writes, menus, go, catcher });
  useWanted(source, lines, view.view, version);

  const { drag } = pointer;
  const widthId = drag?.kind === 'width' ? drag.id : null;
  const widthNow = drag?.kind === 'width' ? drag.width : 0;
  useEffect(() => setTrial(widthId === null ? null : { id: widthId, width: widthNow }), [widthId, widthNow]);

  const options = useMemo<RowOptions>(
    () => ({
      id,
      height,
      words,
      checks: props.onCheck !== undefined,
      opens: props.onOpen !== undefined,
      moves: props.onMoveRows !== undefined,
    }),
    [id, height, words, props.onCheck, props.onOpen, props.onMoveRows],
  );

  useImperativeHandle(props.handle, () => ({
    focus: () => {
      if (!selection && bounds.lines > 0) go(at({ line: 0, col: 0 }));
      edit.focus();
    },
    show: (index, column) => {
      const line = lines.lineOf(index);
      const col = column === undefined ? 0 : layout.all.findIndex((one) => one.column.id === column);
      if (line === null || col === -1) return;
      go(at({ line, col }));
      edit.focus();
    },
    showRow: (index) => {
      const line = lines.lineOf(index);
      if (line !== null) go(pressBand(null, 'line', line, bounds, { shift: false, ctrl: false }));
    },
    edit: () => edit.begin(null),
    active: () => (chosen.index === null || chosen.column === null ? null : { index: chosen.index, row: chosen.row, column: chosen.column }),
    selection: () =>
      (selection ? rangesOf(selection) : []).flatMap((range) => {
        const from = chosen.indexOf(range.top);
        const to = chosen.indexOf(range.bottom);
        return from === null || to === null ? [] : [{ from, to: to + 1, columns: layout.all.slice(range.left, range.right + 1).map((one) => one.column.id) }];
      }),
    toTop: () => view.moveTo(0),
  }));

  // Said of the cells that are drawn, without drawing them again: the selection changes with every step of a drag.
  const told = useRef(false);
  const tellCells = useEffectEvent(() => {
    const ranges = selection ? rangesOf(selection) : [];
    if (ranges.length === 0 && !told.current) return;
    told.current = true;
    for (const row of scroller.current?.querySelectorAll('[data-line]') ?? []) {
      const line = Number(row.getAttribute('data-line'));
      for (const cell of row.querySelectorAll('[data-col]')) {
        const yes = ranges.some((range) => within(range, { line, col: Number(cell.getAttribute('data-col')) }));
        if (yes !== (cell.getAttribute('aria-selected') === 'true')) cell.setAttribute('aria-selected', String(yes));
      }
    }
  });
  const { first, last, colFirst, colLast } = view.view;
  // Rows that come later are cells anew.
  useLayoutEffect(() => tellCells(), [selection, first, last, colFirst, colLast, version]);
  useEffect(() => {
    if (!selection) return;
    const one = rangesOf(selection);
    const range = one.at(-1);
    if (!range) return;
    const cells = one.reduce((sum, each) => sum + (each.bottom - each.top + 1) * (each.right - each.left + 1), 0);
    if (cells === 1) say('');
    else if (one.length > 1) say(t('chosenMore', { cells: words.number(cells) }));
    else say(t('chosen', { rows: words.number(range.bottom - range.top + 1), columns: range.right - range.left + 1 }));
  }, [selection, t, words]);

  // The field that types lies over the active cell: there the list of an input method opens.
  const placeCatcher = useEffectEvent(() => {
    const field = catcher.current;
    const box = selection && view.boxOf(edit.editing?.cell ?? selection.anchor);
    if (!field || !box) return;
    const top = edit.editing ? box.top : Math.max(headHeight, Math.min(box.top, size.height - box.height));
    const left = edit.editing ? box.left : Math.max(0, Math.min(box.left, size.width - 20));
    field.style.transform = `translate(${String(left)}px, ${String(top)}px)`;
    field.style.minWidth = `${String(box.width + 1)}px`;
    field.style.minHeight = `${String(box.height + 1)}px`;
    const said = bubble.current;
    if (!said) return;
    // Under its cell, or above it where there is no room.
    const below = top + box.height + 6;
    said.style.left = `${String(Math.max(8, Math.min(left, size.width - said.offsetWidth - 8)))}px`;
    said.style.top = `${String(below + said.offsetHeight > size.height ? top - said.offsetHeight - 6 : below)}px`;
  });
  useLayoutEffect(() => placeCatcher());
  const hearScroll = view.onScroll;
  useEffect(() => hearScroll(() => placeCatcher()), [hearScroll]);
  // Browsers ask these whether the menu entries and keys of the clipboard are to work where no text is marked (Safari).
  useEffect(() => {
    const field = catcher.current;
    const allow = (event: Event): void => event.preventDefault();
    for (const name of ['beforecopy', 'beforecut', 'beforepaste']) field?.addEventListener(name, allow);
    return () => {
      for (const name of ['beforecopy', 'beforecut', 'beforepaste']) field?.removeEventListener(name, allow);
    };
  }, []);

  const onClip = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    if (edit.editing) return;
    event.preventDefault();
    if (event.type === 'paste') writes.paste(event.clipboardData);
    else if (event.type === 'copy' || props.onWrite) writes.copy(event.clipboardData, event.type === 'cut');
  };
  // Where there are no rows there is no cell to press: a paste anywhere on the page is meant for the list.
  const onPagePaste = useEffectEvent((event: globalThis.ClipboardEvent): void => {
    if (
      event.defaultPrevented ||
      (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable="true"], dialog, [role="dialog"]'))
    )
      return;
    writes.paste(event.clipboardData);
  });
  const takesPaste = count === 0 && props.onPaste !== undefined && props.onAddRow !== undefined;
  useEffect(() => {
    if (!takesPaste) return;
    const onPaste = (event: globalThis.ClipboardEvent): void => onPagePaste(event);
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, [takesPaste]);
  const lastCheck = useRef<number | null>(null);
  /** Buttons inside of rows: one listener for all of them. */
  const onRowButton = (event: MouseEvent<HTMLDivElement>): void => {
    const target = event.target instanceof Element ? event.target : null;
    const line = Number(target?.closest('[data-line]')?.getAttribute('data-line') ?? -1);
    const one = line < 0 ? null : lines.at(line);
    if (!target || !one) return;
    if (one.kind === 'group') {
      if (target.closest('[data-fold]')) props.onFold?.(one.group.id, !one.folded);
      else if (target.closest('[data-groupadd]')) props.onAddRow?.(one.group.first + one.group.count - 1, one.group.id);
      return;
    }
    const row = source.row(one.index);
    if (!row) return;
    if (target.closest('[data-open]')) props.onOpen?.(row, one.index);
    if (!target.closest('[data-check]')) return;
    const on = !(props.checkedAll === true || props.checked?.has(row.id) === true);
    const from = event.shiftKey ? (lastCheck.current ?? one.index) : one.index;
    lastCheck.current = one.index;
    const [low, high] = [Math.min(from, one.index), Math.max(from, one.index)];
    const ids: string[] = [];
    for (let index = low; index <= high; index += 1) {
      const each = source.row(index);
      if (each) ids.push(each.id);
    }
    props.onCheck?.(ids, on);
  };

  const waits = useMemo(() => ({ pins: waitingCells(layout, 0, layout.pins), rest: waitingCells(layout, colFirst, colLast) }), [layout, colFirst, colLast]);
  const slots = Math.ceil(size.height / Math.min(lines.rowHeight, groupHeight)) + 24;
  const drawn = [];
  for (let line = first; line < last; line += 1) {
    const one = lines.at(line);
    const top = lines.topOf(line) - view.view.origin;
    const active = selection?.anchor.line === line ? selection.anchor.col : null;
    const key = `${one?.kind ?? ''}${String(line % slots)}`;
    if (one?.kind === 'row') {
      const row = source.row(one.index);
      const checked = row !== undefined && (props.checkedAll === true || props.checked?.has(row.id) === true);
      drawn.push(
        <Row key={key} {...{ line, top, row, layout, colFirst, colLast, active, checked, waits, options }} index={one.index} lineHeight={lines.rowHeight} />,
      );
    } else if (one) {
      const { group } = one;
      const adds = props.onAddRow !== undefined;
      drawn.push(
        <GroupRow
          key={key}
          {...{ line, top, group, layout, colFirst, colLast, options, adds }}
          folded={one.folded}
          active={active !== null}
          lineHeight={groupHeight}
        />,
      );
    }
  }
  const overWords = useMemo(() => ({ fill: t('fill'), other: (name: string) => t('others', { name }) }), [t]);
  const width = layout.width + (props.onAddField ? 44 : 0);
  const column = selection && layout.all[selection.anchor.col]?.column;
  const typing = edit.editing?.kind === 'text' || edit.editing?.kind === 'waiting';
  const mark = chosen.row && column ? chosen.row.marks?.[column.id] : undefined;
  return (
    <div className={`grid g-${height}`} data-dragging={drag?.kind} data-picking={props.checkedAll === true || (props.checked?.size ?? 0) > 0}>
      {/* The keys of all of it are heard by the field that has the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        className="g-scroll"
        onPointerDown={pointer.onPointerDown}
        onPointerMove={pointer.onPointerMove}
        onPointerUp={pointer.onPointerUp}
        onPointerCancel={pointer.onPointerCancel}
        onClick={(event) => {
          if (pointer.isHeld()) return event.preventDefault();
          onRowButton(event);
          pointer.onClick(event);
        }}
        onDoubleClick={pointer.onDoubleClick}
        onContextMenu={menus.onContextMenu}
      >
        <div
          role="grid"
          id={id}
          className="g-body"
          aria-label={label}
          aria-rowcount={lines.count + (hasFoot ? 2 : 1)}
          aria-colcount={layout.all.length + (props.onAddField ? 2 : 1)}
          aria-multiselectable="true"
          aria-readonly={props.onWrite === undefined}
          style={{ width }}
        >
          <Head
            id={id}
            props={props}
            layout={layout}
            view={view.view}
            selection={selection}
            drag={drag}
            words={words}
            hasMenu
            onMenu={menus.openColumn}
            onFit={fit}
          />
          <div role="rowgroup" className="g-rows" style={{ height: view.scale.physical }}>
            <div role="presentation" className="g-layer" style={{ top: view.view.shift }}>
              {drawn}
              <Overlays
                {...{ lines, layout, selection, drag, others, source }}
                view={view.view}
                fills={props.onWrite !== undefined}
                editing={edit.editing !== null}
                words={overWords}
              />
              {props.onAddRow && last >= lines.count && (
                <div role="row" className="g-addrow" aria-rowindex={lines.count + 2} style={{ top: lines.height - view.view.origin, height: addHeight }}>
                  <div role="gridcell" aria-colindex={1} aria-colspan={layout.all.length + 1}>
                    <button type="button" tabIndex={-1} onClick={() => props.onAddRow?.(null)}>
                      <Icon name="plus" size={16} />
                      {t('addRow')}
                    </button>
                  </div>
                </div>
              )}
            </div>
          </div>
          {hasFoot && <Foot layout={layout} view={view.view} words={words} row={lines.count + 2} onMenu={menus.openFoot} />}
        </div>
      </div>
      {count === 0 && props.empty !== undefined && <div className="g-empty">{props.empty}</div>}
      <textarea
        ref={catcher}
        rows={1}
        className={typing ? `g-catcher g-typing${column?.align === 'right' ? ' g-right' : ''}` : 'g-catcher'}
        aria-label={typing && column ? column.title : label}
        aria-describedby={edit.fault === null ? `${id}-hint` : `${id}-fault`}
        aria-controls={id}
        aria-invalid={edit.fault !== null}
        {...(selection && !typing ? { 'aria-activedescendant': cellId(id, selection.anchor.line, selection.anchor.col) } : {})}
        autoComplete="off"
        spellCheck={false}
        // Phones show their keyboard only while something is edited.
        inputMode={typing ? (column?.inputMode ?? 'text') : 'none'}
        onKeyDown={onKeyDown}
        onInput={edit.onInput}
        onCompositionStart={edit.onCompositionStart}
        onCompositionEnd={edit.onCompositionEnd}
        onCopy={onClip}
        onCut={onClip}
        onPaste={onClip}
        onFocus={() => {
          // Reached by Tab; a press on a cell has chosen one in the same moment.
          if (lines.count > 0) chosen.setSelection((before) => before ?? at({ line: view.firstSeen(), col: 0 }));
        }}
        onBlur={() => {
          if (edit.editing?.kind === 'text') edit.commit('stay');
        }}
      />
      {edit.fault !== null && edit.editing?.kind === 'text' && (
        <div ref={bubble} id={`${id}-fault`} role="alert" className="g-bubble">
          {edit.fault}
        </div>
      )}
      {edit.editing === null && mark?.fault !== undefined && (
        <div ref={bubble} className="g-bubble g-quiet">
          {mark.fault}
        </div>
      )}
      <p id={`${id}-hint`} className="only-read">
        {t('hint')}
      </p>
      <p role="status" className="only-read">
        {status}
      </p>
      {menus.menu}
      <EditorPanel key={edit.editing ? `${edit.editing.row.id} ${edit.editing.column.id}` : ''} edit={edit} view={view} scroller={scroller} />
    </div>
  );
};
