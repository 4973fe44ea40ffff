import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { gridCommands } from './commands';
import type { GridModel } from './gridModel';
import { commandOf } from './keyCommands';
import { isSingleCell } from './selection';
import type { Move, Selection } from './selection';
import type { EditState } from './useEditing';
import type { Menus } from './useMenus';
import type { SelectionState } from './useSelection';
import type { Writes } from './useWrites';

type Arrow = Extract<Move, 'up' | 'down' | 'left' | 'right'>;
const arrows: Record<string, Arrow> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

/** Keys while a text is typed into a cell. */
function typingKey(event: KeyboardEvent<HTMLTextAreaElement>, edit: EditState): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const commit = (way: Arrow): void => {
    event.preventDefault();
    edit.commit(way);
  };
  if (key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    edit.cancel();
  } else if (key === 'Enter' && !altKey) commit(shiftKey ? 'up' : 'down');
  else if (key === 'Tab') commit(shiftKey ? 'left' : 'right');
  else if (edit.editing?.typed !== null && !shiftKey && !ctrlKey && !metaKey && !altKey) {
    const way = arrows[key];
    if (way) commit(way);
  }
}

/** Keys of the grid, both while browsing and while a text is typed into a cell. */
export function useKeyboard(
  model: GridModel,
  selectionState: SelectionState,
  edit: EditState,
  writes: Writes,
  menus: Menus,
  select: (next: Selection, follow?: 'anchor' | 'head') => void,
) {
  /** After Escape with nothing to cancel, the next Tab leaves the grid instead of moving within it. */
  const isLeaving = useRef(false);
  const commands = gridCommands({ model, selectionState, edit, writes, menus, select });

  return (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While an input method composes, keys belong to it; browsers report keyCode 229 for the first one.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || edit.editing?.kind === 'waiting') return;
    if (edit.editing) return edit.editing.kind === 'text' ? typingKey(event, edit) : undefined;
    const { selection } = selectionState;
    const leaves = isLeaving.current;
    if (event.key !== 'Shift') isLeaving.current = false;
    const command = commandOf(event, selection?.anchor.displayIndex === -1);
    if (!command || (command.do === 'tab' && leaves)) return;
    if (command.do === 'escape' && selection) isLeaving.current = isSingleCell(selection);
    // Undo needs no cell: after the last record is deleted there is none.
    if (selection ? commands.run(command, selection, event.key) : commands.runAnywhere(command)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}
