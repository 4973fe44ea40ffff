import { maxWidth, minWidth } from './columnLayout';
import type { GridModel } from './gridModel';
import type { Command } from './keyCommands';
import { activeRange, isSingleCell, moveCell, nextTabCell, selectBand, shiftSelection, singleCell } from './selection';
import type { Selection } from './selection';
import type { EditState } from './useEditing';
import type { Menus } from './useMenus';
import type { SelectionState } from './useSelection';
import type { Writes } from './useWrites';

export type CommandContext = {
  readonly model: GridModel;
  readonly selectionState: SelectionState;
  readonly edit: EditState;
  readonly writes: Writes;
  readonly menus: Menus;
  /** Selects, and scrolls the anchor or the head into view. */
  readonly select: (next: Selection, follow?: 'anchor' | 'head') => void;
};

/** px by which one key press changes a column's width. */
const widthStep = 16;
const withShift = { shift: true, ctrl: false };

const groupOn = ({ displayRows }: GridModel, displayIndex: number) => {
  const displayed = displayRows.at(displayIndex);
  return displayed?.kind === 'group' ? displayed : null;
};

/** Folds or unfolds the group of the active row, i.e. of the nearest heading above it. */
function foldGroup({ model, selectionState, select }: CommandContext, folded: boolean): void {
  for (let displayIndex = selectionState.selection?.anchor.displayIndex ?? -1; displayIndex >= 0; displayIndex -= 1) {
    const heading = groupOn(model, displayIndex);
    if (!heading) continue;
    model.props.onFold?.(heading.group.id, folded);
    return select(singleCell({ displayIndex, col: 0 }));
  }
}

/** Moves the selected rows by one. */
function moveRows({ model, selectionState, select }: CommandContext, selection: Selection, by: -1 | 1): void {
  const { onMoveRows, source } = model.props;
  const range = activeRange(selection);
  const [from, to] = [selectionState.indexOf(range.top), selectionState.indexOf(range.bottom)];
  if (!onMoveRows || from === null || to === null) return;
  const before = by < 0 ? from - 1 : to + 2;
  if (before < 0 || before > source.count()) return;
  onMoveRows(from, to + 1, before);
  select(shiftSelection(selection, by));
}

/** Enter and Space on a heading: opens the menu of a column's head, or folds a group. false: the active cell is in a row. */
function openHeading({ model, menus }: CommandContext, { anchor }: Selection): boolean {
  if (anchor.displayIndex < 0) {
    menus.openColumnByKey(anchor.col);
    return true;
  }
  const heading = groupOn(model, anchor.displayIndex);
  if (heading) model.props.onFold?.(heading.group.id, !heading.folded);
  return heading !== null;
}

/** Moves and extends the selection. false: the grid does not handle the key. */
function navigate({ model, select }: CommandContext, selection: Selection, command: Extract<Command, { do: 'move' | 'tab' }>): boolean {
  const { props, bounds } = model;
  const { anchor, head } = selection;
  if (command.do === 'tab') {
    const next = anchor.displayIndex < 0 ? null : nextTabCell(anchor, command.back, bounds);
    if (next) select(singleCell(next));
    return next !== null;
  }
  const { move, extend } = command;
  const heading = groupOn(model, anchor.displayIndex);
  if (heading && !extend && (move === 'left' || move === 'right')) props.onFold?.(heading.group.id, move === 'left');
  else if (extend) select({ ...selection, head: moveCell(head, move, bounds, false) }, 'head');
  else select(singleCell(moveCell(anchor, move, bounds, true)));
  return true;
}

/** Changes the selection without moving the active cell. */
function changeSelection({ model, selectionState }: CommandContext, selection: Selection, what: 'all' | 'row' | 'column'): void {
  const { bounds } = model;
  const { anchor, head } = selection;
  const { setSelection } = selectionState;
  if (what === 'all' && bounds.rowCount > 0)
    setSelection({ anchor: { displayIndex: 0, col: 0 }, head: { displayIndex: bounds.rowCount - 1, col: bounds.cols - 1 }, more: [] });
  else if (what === 'row' && anchor.displayIndex >= 0) setSelection(selectBand(selection, 'displayIndex', head.displayIndex, bounds, withShift));
  else if (what === 'column') setSelection(selectBand(selection, 'col', head.col, bounds, withShift));
}

/** The commands of keys while nothing is edited. Both functions return whether the grid handled the key. */
export function gridCommands(context: CommandContext) {
  const { model, selectionState, edit, writes, menus } = context;
  const { props, layout } = model;

  const runAnywhere = ({ do: action }: Command): boolean => {
    const callback = action === 'undo' ? props.onUndo : action === 'redo' ? props.onRedo : undefined;
    callback?.();
    return callback !== undefined;
  };
  const open = (selection: Selection, key: string): void => {
    const { row, index, column } = selectionState;
    if (openHeading(context, selection)) return;
    if (layout.all[selection.anchor.col]?.column.edit === 'toggle' && key === ' ') edit.begin(null);
    else if (row && index !== null) props.onOpen?.(row, index, column ?? undefined);
  };
  const widen = (col: number, by: -1 | 1): void => {
    const placed = layout.all[col];
    if (placed) props.onWidth?.(placed.column.id, Math.max(minWidth, Math.min(maxWidth, placed.width + by * widthStep)));
  };
  const run = (command: Command, selection: Selection, key: string): boolean => {
    const { anchor } = selection;
    switch (command.do) {
      case 'move':
      case 'tab':
        return navigate(context, selection, command);
      case 'undo':
      case 'redo':
        return runAnywhere(command);
      case 'edit':
        if (key === 'F2' && anchor.displayIndex < 0 && menus.renameByKey(anchor.col)) break;
        if (!openHeading(context, selection)) edit.begin(null);
        break;
      case 'open':
        open(selection, key);
        break;
      case 'clear':
        writes.clear();
        break;
      case 'fillDown':
        writes.fillDown();
        break;
      case 'menu':
        if (anchor.displayIndex < 0) menus.openColumnByKey(anchor.col);
        else menus.openCellByKey(anchor);
        break;
      case 'moveColumn':
        menus.moveColumn(anchor.col, command.by);
        break;
      case 'widen':
        widen(anchor.col, command.by);
        break;
      case 'moveRows':
        moveRows(context, selection, command.by);
        break;
      case 'fold':
        foldGroup(context, command.folded);
        break;
      case 'escape':
        if (!isSingleCell(selection)) selectionState.setSelection(singleCell(anchor));
        break;
      default:
        changeSelection(context, selection, command.do);
    }
    return true;
  };
  return { run, runAnywhere };
}
