import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { placeAfterScroll, placeAtRest, isStuck } from './scrollScale';
import type { Scale, ScrollPlace } from './scrollScale';
import { sameWindow } from './viewport';
import type { RenderWindow } from './viewport';

/** ms without a scroll event after which scrolling has come to rest. */
const restMs = 150;
/** px: a programmatic move shorter than this keeps the offset between scroll bar and list, as a wheel does. */
const nearMove = 4000;

const setScrollTop = (element: HTMLElement, top: number): void => void (element.scrollTop = top);

/** Calls `onScroll` on every scroll event and when the last finger is lifted, and `onRest` shortly after the last of them while no finger is down. */
function useScrollEvents(scroller: RefObject<HTMLElement | null>, onScroll: () => void, onRest: () => void): void {
  const scroll = useEffectEvent(onScroll);
  const rest = useEffectEvent(onRest);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let isTouched = false;
    let timer = 0;
    const listener = (): void => {
      scroll();
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (!isTouched) rest();
      }, restMs);
    };
    const touch = (event: TouchEvent): void => {
      isTouched = event.touches.length > 0;
      if (!isTouched) listener();
    };
    const touches = ['touchstart', 'touchend', 'touchcancel'] as const;
    element.addEventListener('scroll', listener, { passive: true });
    for (const name of touches) element.addEventListener(name, touch, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', listener);
      for (const name of touches) element.removeEventListener(name, touch);
    };
  }, [scroller]);
}

/**
 * Scrolls a list that may be higher than any element can be. The position is a ref; only a change of the render window renders the grid again. `windowAt`
 * computes that window.
 */
export function useVirtualScroll(scroller: RefObject<HTMLElement | null>, scale: Scale, windowAt: (place: ScrollPlace, scrollLeft: number) => RenderWindow) {
  const place = useRef<ScrollPlace>({ top: 0, virtual: 0 });
  const listeners = useRef(new Set<() => void>());
  const [rendered, setRendered] = useState({ place: { top: 0, virtual: 0 }, scrollLeft: 0 });
  const renderedWindow = windowAt(rendered.place, rendered.scrollLeft);
  const drawn = useRef(renderedWindow);
  useLayoutEffect(() => {
    drawn.current = renderedWindow;
  });

  const refresh = (): void => {
    const element = scroller.current;
    if (!element || sameWindow(windowAt(place.current, element.scrollLeft), drawn.current)) return;
    // In the frame of the scroll event: a later one would show rows that are not rendered yet.
    flushSync(() => setRendered({ place: place.current, scrollLeft: element.scrollLeft }));
  };
  const put = (next: ScrollPlace): void => {
    const element = scroller.current;
    if (!element) return;
    place.current = next;
    if (Math.abs(element.scrollTop - next.top) >= 1) setScrollTop(element, next.top);
    // Browsers round to device pixels.
    place.current = { top: element.scrollTop, virtual: next.virtual };
  };
  const onScrolled = (): void => {
    const element = scroller.current;
    if (!element) return;
    place.current = placeAfterScroll(place.current, element.scrollTop, scale);
    const next = isStuck(place.current, scale) ? placeAtRest(place.current, scale) : null;
    if (next) put(next);
    refresh();
    for (const listener of listeners.current) listener();
  };
  const onRest = (): void => {
    const next = placeAtRest(place.current, scale);
    if (!next) return;
    put(next);
    refresh();
  };
  useScrollEvents(scroller, onScrolled, onRest);

  const keepPlace = useEffectEvent(() => {
    const virtual = Math.min(place.current.virtual, scale.end);
    const next = placeAtRest({ top: place.current.top, virtual }, scale);
    place.current = { top: place.current.top, virtual };
    if (next) put(next);
    setRendered({ place: place.current, scrollLeft: scroller.current?.scrollLeft ?? 0 });
  });
  // When rows are added or removed, the visible rows stay in place.
  useLayoutEffect(() => keepPlace(), [scale]);

  const moveTo = (virtual: number): void => {
    const to = Math.max(0, Math.min(virtual, scale.end));
    const top = place.current.top + to - place.current.virtual;
    const isNear = Math.abs(to - place.current.virtual) < nearMove && top > 0 && top < scale.physicalEnd;
    put({ top: isNear ? top : scale.toPhysical(to), virtual: to });
    refresh();
  };
  const onScroll = useCallback((listener: () => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  return { window: renderedWindow, place, refresh, moveTo, onScroll };
}
