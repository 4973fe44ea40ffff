import { useRef } from 'react';

export type Point = { readonly x: number; readonly y: number };

/** ms until a touch counts as a long press. */
export const longPressMs = 450;
/** px that a finger may move during a long press. */
export const slack = 8;
export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The long press: a timer until it counts, and afterwards its position, so that the click that follows is ignored. */
export function useTouchHold() {
  const timer = useRef(0);
  const held = useRef<Point | null>(null);
  const cancel = (): void => clearTimeout(timer.current);
  return {
    begin: (onHold: () => void): void => {
      timer.current = window.setTimeout(onHold, longPressMs);
    },
    cancel,
    cancelIfMoved: (from: Point, to: Point): void => {
      if (distance(from, to) > slack) cancel();
    },
    setHeld: ({ x, y }: Point): void => {
      held.current = { x, y };
    },
    isStillAt: (x: number, y: number): boolean => held.current !== null && distance(held.current, { x, y }) <= slack,
    release: (): void => {
      held.current = null;
    },
    /** Whether the current click follows a long press. */
    take: (): boolean => {
      const wasHeld = held.current !== null;
      held.current = null;
      return wasHeld;
    },
  };
}
export type TouchHold = ReturnType<typeof useTouchHold>;
