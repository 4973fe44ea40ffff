import { useEffect, useEffectEvent } from 'react';

/** Elements with their own undo: inputs, dialogs and the grid. */
const elsewhere = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="grid"]';

/** Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y anywhere else on the page. */
export function useUndoKeys(onStep: (way: 'undo' | 'redo') => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isElsewhere = event.target instanceof HTMLElement && event.target.closest(elsewhere) !== null;
    if (isElsewhere || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    onStep(key === 'y' || event.shiftKey ? 'redo' : 'undo');
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
