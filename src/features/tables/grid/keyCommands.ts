import type { Move } from './selection';

export type Command =
  | { readonly do: 'move'; readonly move: Move; readonly extend: boolean }
  | { readonly do: 'tab'; readonly back: boolean }
  | { readonly do: 'moveColumn'; readonly by: -1 | 1 }
  | { readonly do: 'widen'; readonly by: -1 | 1 }
  | { readonly do: 'moveRows'; readonly by: -1 | 1 }
  | { readonly do: 'fold'; readonly folded: boolean }
  | { readonly do: 'edit' | 'open' | 'clear' | 'all' | 'row' | 'column' | 'undo' | 'redo' | 'fillDown' | 'menu' | 'escape' };

export type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
};

const arrows: Record<string, readonly [Move, Move]> = {
  ArrowUp: ['up', 'top'],
  ArrowDown: ['down', 'bottom'],
  ArrowLeft: ['left', 'home'],
  ArrowRight: ['right', 'end'],
  PageUp: ['pageUp', 'pageUp'],
  PageDown: ['pageDown', 'pageDown'],
  Home: ['home', 'first'],
  End: ['end', 'last'],
};

/**
 * The command of a key in the grid while nothing is edited; null: the grid does not handle it (typing a character opens the editor through the input event).
 * Keys follow spreadsheets; Alt with arrows moves columns (in their heads) and rows, with Shift it resizes columns.
 */
export function commandOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyPress, head: boolean): Command | null {
  const ctrl = ctrlKey || metaKey;
  if (altKey && !ctrl) {
    const by = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
    if (head && (key === 'ArrowLeft' || key === 'ArrowRight')) return { do: shiftKey ? 'widen' : 'moveColumn', by };
    if (head && key === 'ArrowDown') return { do: 'menu' };
    if (!head && (key === 'ArrowUp' || key === 'ArrowDown')) return shiftKey ? { do: 'fold', folded: by < 0 } : { do: 'moveRows', by };
    return null;
  }
  const arrow = arrows[key];
  if (arrow) return { do: 'move', move: arrow[ctrl ? 1 : 0], extend: shiftKey };
  if (ctrl) {
    const letter = key.toLowerCase();
    if (letter === 'a' && !shiftKey) return { do: 'all' };
    if (letter === 'z') return { do: shiftKey ? 'redo' : 'undo' };
    if (letter === 'y' && !shiftKey) return { do: 'redo' };
    if (letter === 'd' && !shiftKey) return { do: 'fillDown' };
    if (key === ' ') return { do: 'column' };
    return null;
  }
  if (key === 'Tab') return { do: 'tab', back: shiftKey };
  if (key === 'Enter') return shiftKey ? { do: 'open' } : { do: 'edit' };
  if (key === 'F2') return { do: 'edit' };
  if (key === ' ') return shiftKey ? { do: 'row' } : { do: 'open' };
  if (key === 'Delete' || key === 'Backspace') return { do: 'clear' };
  if (key === 'Escape') return { do: 'escape' };
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return { do: 'menu' };
  return null;
}
