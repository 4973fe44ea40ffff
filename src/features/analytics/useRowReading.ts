import { type KeyboardEvent, useState } from 'react';

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/**
 * The highlighted row of a drawing. Arrow keys move through the rows in order, from the first; `spoken` is the row they reached, which is announced;
 * a pointer moves the highlight silently.
 */
export const useRowReading = (count: number, onPick: (index: number) => void) => {
  const [at, setAt] = useState<number | null>(null);
  const [spoken, setSpoken] = useState<number | null>(null);
  const index = at !== null && at < count ? at : null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      setAt(null);
      setSpoken(null);
      return;
    }
    if (event.key === 'Enter' && index !== null) {
      event.preventDefault();
      onPick(index);
      return;
    }
    const move = moves[event.key];
    if (move === undefined || count === 0) return;
    event.preventDefault();
    const next = index === null ? (event.key === 'End' ? count - 1 : 0) : move(index, count - 1);
    setAt(next);
    setSpoken(next);
  };
  return { index, spoken: spoken !== null && spoken < count ? spoken : null, set: setAt, onKeyDown };
};
