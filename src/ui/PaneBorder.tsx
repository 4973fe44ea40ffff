import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import './paneBorder.css';

export type PaneWidth = {
  readonly width: number;
  readonly least: number;
  readonly most: number;
  readonly change: (width: number) => void;
  /** Remembers the width. */
  readonly store: () => void;
};

/** Width of a pane in px, remembered in this browser (`console:<key>`). */
export function usePaneWidth(key: string, { least, most, initial }: { readonly least: number; readonly most: number; readonly initial: number }): PaneWidth {
  const name = `console:${key}`;
  const [width, setWidth] = useState(() => {
    try {
      const value = Number(localStorage.getItem(name));
      return value >= least && value <= most ? value : initial;
    } catch {
      return initial;
    }
  });
  const latest = useRef(width);
  const change = (next: number): void => {
    latest.current = Math.round(Math.min(most, Math.max(least, next)));
    setWidth(latest.current);
  };
  const store = (): void => {
    try {
      localStorage.setItem(name, String(latest.current));
    } catch {
      // Without storage, the width lasts until the page is left.
    }
  };
  return { width, least, most, change, store };
}

/** The border of a pane, which is dragged or moved with the arrow keys. `side`: where the pane is on the screen; its parent is positioned. */
export function PaneBorder({
  label,
  pane: { width, least, most, change, store },
  side = 'start',
}: {
  readonly label: string;
  readonly pane: PaneWidth;
  readonly side?: 'start' | 'end';
}): ReactElement {
  const dragged = useRef<{ x: number; width: number } | null>(null);
  const sign = side === 'start' ? 1 : -1;
  return (
    <div
      className="pane-border"
      data-side={side}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        dragged.current = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event: PointerEvent<HTMLElement>) => {
        if (dragged.current) change(dragged.current.width + sign * (event.clientX - dragged.current.x));
      }}
      // Also follows a cancelled drag, which has no `pointerup`.
      onLostPointerCapture={() => {
        dragged.current = null;
        store();
      }}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        change(width + sign * step);
        store();
      }}
    />
  );
}
