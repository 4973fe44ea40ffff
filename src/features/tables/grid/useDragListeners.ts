import { useEffect, useEffectEvent, useRef } from 'react';
import type { RefObject } from 'react';
import { headHeight } from './displayRows';
import { autoScrollStep } from './drag';

/** A pointer and its position in the window. */
export type PointerPlace = { readonly x: number; readonly y: number; readonly id: number };

/**
 * Follows the pointer over the whole window during a drag: `onMove` on every move and every step of auto-scrolling near an edge, `onEnd` with false where the
 * drag was cancelled (Escape, or the browser took over the pointer). `setPlace` sets where the pointer is pressed.
 */
export function useDragListeners(
  isActive: boolean,
  scroller: RefObject<HTMLElement | null>,
  pinnedWidth: number,
  { onMove, onEnd }: { readonly onMove: (x: number, y: number) => void; readonly onEnd: (completed: boolean, place: PointerPlace) => void },
) {
  const place = useRef<PointerPlace>({ x: 0, y: 0, id: -1 });
  const hasMoved = useRef(false);
  const move = useEffectEvent((event: PointerEvent) => {
    if (event.pointerId !== place.current.id) return;
    place.current = { x: event.clientX, y: event.clientY, id: event.pointerId };
    hasMoved.current = true;
    onMove(event.clientX, event.clientY);
  });
  const end = useEffectEvent((event: PointerEvent) => {
    if (event.pointerId === place.current.id) onEnd(event.type === 'pointerup', place.current);
  });
  const cancel = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onEnd(false, place.current);
  });
  const autoScroll = useEffectEvent(() => {
    const element = scroller.current;
    if (!element || !hasMoved.current) return;
    const { x, y } = place.current;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const step = autoScrollStep({ left: left + pinnedWidth, right, top: top + headHeight, bottom }, { x, y });
    if (step.down === 0 && step.right === 0) return;
    element.scrollBy(step.right, step.down);
    onMove(x, y);
  });
  useEffect(() => {
    if (!isActive) return;
    const onPointerMove = (event: PointerEvent): void => move(event);
    const onPointerEnd = (event: PointerEvent): void => end(event);
    const onKey = (event: KeyboardEvent): void => cancel(event);
    // Selecting by touch does not scroll.
    const onTouch = (event: TouchEvent): void => event.preventDefault();
    let frame = 0;
    const everyFrame = (): void => {
      autoScroll();
      frame = requestAnimationFrame(everyFrame);
    };
    addEventListener('pointermove', onPointerMove);
    addEventListener('pointerup', onPointerEnd);
    addEventListener('pointercancel', onPointerEnd);
    addEventListener('keydown', onKey, true);
    document.addEventListener('touchmove', onTouch, { passive: false });
    frame = requestAnimationFrame(everyFrame);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', onPointerMove);
      removeEventListener('pointerup', onPointerEnd);
      removeEventListener('pointercancel', onPointerEnd);
      removeEventListener('keydown', onKey, true);
      document.removeEventListener('touchmove', onTouch);
    };
  }, [isActive]);
  return {
    place: (): PointerPlace => place.current,
    setPlace: (event: { readonly clientX: number; readonly clientY: number; readonly pointerId: number }): void => {
      place.current = { x: event.clientX, y: event.clientY, id: event.pointerId };
      hasMoved.current = false;
    },
  };
}
