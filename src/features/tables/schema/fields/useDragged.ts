import { useState } from 'react';
import type { PointerEvent } from 'react';

/** Distance from the edge of a list within which it scrolls, and the step per move, in pixels. */
const edge = 48;
const pace = 14;

/** Nearest ancestor that scrolls vertically. */
function scroller(node: HTMLElement): HTMLElement | null {
  for (let at = node.parentElement; at; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
}

/**
 * Dragging by a handle: `targetAt` returns the drop target at a point of the window, and `onDrop` is called with the target of a drop. Escape cancels the drag.
 */
export function useDragged<T>(targetAt: (x: number, y: number) => T | null, onDrop: (held: string, target: T) => void) {
  const [held, setHeld] = useState<string | null>(null);
  const [over, setOver] = useState<T | null>(null);
  const end = (): void => {
    setHeld(null);
    setOver(null);
  };
  return {
    held,
    /** The current drop target. */ over: held === null ? null : over,
    end,
    /** Event handlers of the handle of `id`. */
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(id);
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (held === null) return;
        const box = scroller(event.currentTarget);
        const { top = 0, bottom = 0 } = box?.getBoundingClientRect() ?? {};
        if (box && event.clientY < top + edge) box.scrollBy(0, -pace);
        else if (box && event.clientY > bottom - edge) box.scrollBy(0, pace);
        setOver(targetAt(event.clientX, event.clientY));
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const target = targetAt(event.clientX, event.clientY);
        if (held === id && target !== null) onDrop(id, target);
        end();
      },
      onPointerCancel: end,
    }),
  };
}
