import { useEffect, useImperativeHandle, useState, useSyncExternalStore } from 'react';
import { EditorPanel } from './EditorPanel';
import { Foot } from './Foot';
import { Head } from './Head';
import { KeyField } from './KeyField';
import { RowLayer } from './RowLayer';
import './grid.css';
import './gridHead.css';
import './gridOver.css';
import { fitColumn } from './fitColumn';
import { gridHandle } from './gridHandle';
import type { Selection } from './selection';
import type { GridProps } from './types';
import { useEditing } from './useEditing';
import { useGridModel } from './useGridModel';
import { useKeyboard } from './useKeyboard';
import { useMenus } from './useMenus';
import { usePointer } from './usePointer';
import { useRequestedRows } from './useRequestedRows';
import { useRowButtons } from './useRowButtons';
import { useSelectedCells, useSelectionAnnouncement } from './useSelectedCells';
import { useSelection } from './useSelection';
import { useWrites } from './useWrites';

/** Width of the column with the button that adds a field, px. */
const addFieldWidth = 44;

/** Composes the hooks of the grid: rows and columns, selection, editing, writing, menus, pointer and keys. */
function useGrid(props: GridProps) {
  const version = useSyncExternalStore(props.source.subscribe, props.source.version);
  const [status, announce] = useState('');
  const { model, size, hasFoot, setWidthPreview } = useGridModel(props);
  const { viewport, scroller, displayRows } = model;
  const selectionState = useSelection(model, version);
  const { selection } = selectionState;
  const select = (next: Selection, follow: 'anchor' | 'head' = 'anchor'): void => {
    selectionState.setSelection(next);
    viewport.reveal(next[follow]);
  };
  const edit = useEditing(model, selectionState, select);
  const writes = useWrites(model, selectionState, announce);
  const fit = fitColumn(scroller, props.onWidth);
  const [renaming, setRenaming] = useState<string | null>(null);
  const menus = useMenus(model, selectionState, edit, writes, { onFit: fit, onRename: setRenaming });
  const pointer = usePointer(model, selectionState, edit, writes, menus);
  const onKeyDown = useKeyboard(model, selectionState, edit, writes, menus, select);
  const onRowButton = useRowButtons(model);

  const { drag } = pointer;
  const [widthId, width] = drag?.kind === 'width' ? [drag.id, drag.width] : [null, 0];
  useEffect(() => setWidthPreview(widthId === null ? null : { id: widthId, width }), [widthId, width, setWidthPreview]);
  useRequestedRows(props.source, displayRows, viewport.window, version);
  useSelectedCells(model, selection, version);
  useSelectionAnnouncement(model, selection, announce);
  useImperativeHandle(props.handle, () => gridHandle(model, selectionState, edit, select));
  const rename = {
    column: renaming,
    begin: setRenaming,
    end: (title: string | null): void => {
      setRenaming(null);
      edit.focus();
      if (renaming !== null && title !== null) props.onRenameField?.(renaming, title);
    },
  };
  return { model, size, hasFoot, status, selectionState, edit, writes, fit, menus, pointer, rename, onKeyDown, onRowButton };
}

/** The scrolling part of the grid: heads, rows and foot. */
const GridTable = ({ grid }: { readonly grid: ReturnType<typeof useGrid> }) => {
  const { model, size, hasFoot, selectionState, edit, fit, menus, pointer, rename } = grid;
  const { id, props, labels, displayRows, layout, viewport } = model;
  const { window } = viewport;
  const { selection } = selectionState;
  return (
    <div
      role="grid"
      id={id}
      className="g-body"
      aria-label={props.label}
      aria-rowcount={displayRows.count + (hasFoot ? 2 : 1)}
      aria-colcount={layout.all.length + (props.onAddField ? 2 : 1)}
      aria-multiselectable="true"
      aria-readonly={props.onWrite === undefined}
      style={{ width: layout.width + (props.onAddField ? addFieldWidth : 0) }}
    >
      <Head model={model} selection={selection} drag={pointer.drag} rename={rename} onMenu={menus.openColumn} onFit={fit} />
      <RowLayer model={model} selection={selection} drag={pointer.drag} size={size} isEditing={edit.editing !== null} />
      {hasFoot && <Foot layout={layout} window={window} labels={labels} row={displayRows.count + 2} onMenu={menus.openFoot} />}
    </div>
  );
};

/**
 * A spreadsheet. It renders only the visible part of a list of any length and is independent of where rows come from and how changes are saved: rows are read
 * from `source`, and every gesture makes one call. See README.md in this folder.
 */
export const Grid = (props: GridProps) => {
  const grid = useGrid(props);
  const { model, size, status, selectionState, edit, writes, menus, pointer, onKeyDown, onRowButton } = grid;
  const { viewport, scroller } = model;
  const isPicking = props.checkedAll === true || (props.checked?.size ?? 0) > 0;
  return (
    <div className={`grid g-${props.height ?? 'short'}`} data-dragging={pointer.drag?.kind} data-picking={isPicking}>
      {/* The focused field handles the keys of the whole grid. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        className="g-scroll"
        onPointerDown={pointer.onPointerDown}
        onPointerMove={pointer.onPointerMove}
        onPointerUp={pointer.onPointerUp}
        onPointerCancel={pointer.onPointerCancel}
        onClick={(event) => {
          if (pointer.takeHeld()) return event.preventDefault();
          onRowButton(event);
          pointer.onClick(event);
        }}
        onDoubleClick={pointer.onDoubleClick}
        onContextMenu={menus.onContextMenu}
      >
        <GridTable grid={grid} />
      </div>
      {props.source.count() === 0 && props.empty !== undefined && <div className="g-empty">{props.empty}</div>}
      <KeyField model={model} selectionState={selectionState} edit={edit} writes={writes} size={size} onKeyDown={onKeyDown} />
      <p role="status" className="only-read">
        {status}
      </p>
      {menus.menu}
      <EditorPanel key={edit.editing ? `${edit.editing.row.id} ${edit.editing.column.id}` : ''} edit={edit} viewport={viewport} scroller={scroller} />
    </div>
  );
};
