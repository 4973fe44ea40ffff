import { useState } from 'react';

/** A button and the menu it opens. `anchor` is the button while open. */
export function useMenu(): {
  readonly anchor: HTMLElement | null;
  readonly toggle: (event: { currentTarget: HTMLElement }) => void;
  readonly close: () => void;
} {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return { anchor, toggle: ({ currentTarget }) => setAnchor((before) => (before ? null : currentTarget)), close: () => setAnchor(null) };
}
