import { useEffect, useEffectEvent, useRef } from 'react';
import type { RefObject } from 'react';

/** A pointer and its position in the window. */
export type PointerPlace = { readonly x: number; readonly y: number; readonly id: number };

/**
 * Follows the pointer over the whole window during a drag: `onMove` on every move and whenever `scrollTowards`, called in every frame, has scrolled towards the
 * pointer; `onEnd` with false where the drag was cancelled (Escape, a second finger, or the browser took over the pointer). `setPlace` sets where the pointer is
 * pressed. While `area` is touched during a drag, it does not scroll.
 */
export function useDragListeners(
  isActive: boolean,
  area: RefObject<HTMLElement | null>,
  {
    onMove,
    onEnd,
    scrollTowards,
  }: {
    readonly onMove: (x: number, y: number) => void;
    readonly onEnd: (completed: boolean, place: PointerPlace) => void;
    readonly scrollTowards: (x: number, y: number) => boolean;
  },
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
  const secondFinger = useEffectEvent((event: PointerEvent) => {
    if (event.pointerId !== place.current.id) onEnd(false, place.current);
  });
  const autoScroll = useEffectEvent(() => {
    const { x, y } = place.current;
    if (hasMoved.current && scrollTowards(x, y)) onMove(x, y);
  });
  const touch = useEffectEvent((event: TouchEvent) => {
    if (isActive) event.preventDefault();
  });
  useEffect(() => {
    const element = area.current;
    const onTouch = (event: TouchEvent): void => touch(event);
    // Present from the start: browsers decide at the first touch whether scrolling can be prevented later.
    element?.addEventListener('touchmove', onTouch, { passive: false });
    return () => element?.removeEventListener('touchmove', onTouch);
  }, [area]);
  useEffect(() => {
    if (!isActive) return;
    const onPointerMove = (event: PointerEvent): void => move(event);
    const onPointerEnd = (event: PointerEvent): void => end(event);
    const onKey = (event: KeyboardEvent): void => cancel(event);
    const onPointerDown = (event: PointerEvent): void => secondFinger(event);
    let frame = 0;
    const everyFrame = (): void => {
      autoScroll();
      frame = requestAnimationFrame(everyFrame);
    };
    addEventListener('pointermove', onPointerMove);
    addEventListener('pointerup', onPointerEnd);
    addEventListener('pointercancel', onPointerEnd);
    addEventListener('keydown', onKey, true);
    addEventListener('pointerdown', onPointerDown);
    frame = requestAnimationFrame(everyFrame);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('pointermove', onPointerMove);
      removeEventListener('pointerup', onPointerEnd);
      removeEventListener('pointercancel', onPointerEnd);
      removeEventListener('keydown', onKey, true);
      removeEventListener('pointerdown', onPointerDown);
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
