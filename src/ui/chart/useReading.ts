import { type KeyboardEvent, useState } from 'react';

const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(last, at + 1),
  ArrowLeft: (at) => Math.max(0, at - 1),
  PageDown: (at, last) => Math.min(last, at + 7),
  PageUp: (at) => Math.max(0, at - 7),
  Home: () => 0,
  End: (_at, last) => last,
};

/**
 * The highlighted point of a chart, by pointer or keyboard. `spoken` is the point reached by arrow keys, which is announced; a pointer moves the
 * reading line silently.
 */
export const useReading = (
  count: number,
  shared?: { readonly index: number | null; readonly set: (index: number | null) => void },
  onPick?: (index: number) => void,
) => {
  const [own, setOwn] = useState<number | null>(null);
  const [spoken, setSpoken] = useState<number | null>(null);
  const read = shared?.index ?? own;
  const index = read !== null && read < count ? read : null;
  const set = (next: number | null): void => {
    setOwn(next);
    shared?.set(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      set(null);
      setSpoken(null);
      return;
    }
    if (event.key === 'Enter' && index !== null && onPick !== undefined) {
      event.preventDefault();
      onPick(index);
      return;
    }
    const move = moves[event.key];
    if (move === undefined || count === 0) return;
    event.preventDefault();
    // The first arrow key starts at the newest point, the most interesting one.
    const next = index === null ? (event.key === 'Home' ? 0 : count - 1) : move(index, count - 1);
    set(next);
    setSpoken(next);
  };
  return { index, spoken: spoken !== null && spoken < count ? spoken : null, set, onKeyDown };
};
