import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { columnAt, columnsWithin, scrollToColumn } from './columns';
import type { ColumnLayout } from './columns';
import { headHeight } from './lines';
import type { Lines } from './lines';
import { makeScale, scrolled, settled, stuck } from './scrollScale';
import type { ScrollPlace } from './scrollScale';
import type { Cell } from './selection';

/** What is drawn: lines and columns from the first up to and without the second place; `origin` px of the list lie above the layer, which stands at `shift`. */
export type View = {
  readonly first: number;
  readonly last: number;
  readonly colFirst: number;
  readonly colLast: number;
  readonly origin: number;
  readonly shift: number;
};
export type Size = { readonly width: number; readonly height: number };

/** Lines that are drawn beyond what is seen, and the step in which the window moves, so that not every scrolled line draws anew. */
const beyond = 4;
const step = 2;
const sideways = 240;
const originStep = 1_000_000;
/** After so many ms without a scroll event it rests. */
const rest = 150;

const scrollDown = (element: HTMLElement, top: number): void => void (element.scrollTop = top);
const scrollRight = (element: HTMLElement, left: number): void => void (element.scrollLeft = left);

/** Scrolling, and what of the list is drawn. `below`: px under the last line. `foot`: px that the foot covers. */
export function useGridView(scroller: RefObject<HTMLDivElement | null>, lines: Lines, layout: ColumnLayout, size: Size, below: number, foot: number) {
  const seen = Math.max(1, size.height - headHeight - foot);
  const scale = useMemo(() => makeScale(lines.height + below, seen), [lines.height, below, seen]);
  const place = useRef<ScrollPlace>({ top: 0, virtual: 0 });
  const measure = ({ top, virtual }: ScrollPlace, left: number): View => {
    const firstSeen = lines.count === 0 ? 0 : lines.lineAt(virtual);
    const lastSeen = lines.count === 0 ? -1 : lines.lineAt(virtual + seen);
    const first = Math.max(0, Math.floor((firstSeen - beyond) / step) * step);
    const last = Math.min(lines.count, Math.ceil((lastSeen + 1 + beyond) / step) * step);
    const [colFirst, colLast] = columnsWithin(layout, left + layout.pinned - sideways, left + size.width + sideways);
    const origin = Math.floor(virtual / originStep) * originStep;
    return { first, last, colFirst, colLast, origin, shift: origin + top - virtual };
  };
  const [spot, setSpot] = useState({ place: { top: 0, virtual: 0 }, left: 0 });
  const view = measure(spot.place, spot.left);
  const drawn = useRef(view);
  useLayoutEffect(() => {
    drawn.current = view;
  });

  const refresh = (): void => {
    const element = scroller.current;
    if (!element) return;
    const next = measure(place.current, element.scrollLeft);
    const before = drawn.current;
    const same =
      next.first === before.first &&
      next.last === before.last &&
      next.colFirst === before.colFirst &&
      next.colLast === before.colLast &&
      next.origin === before.origin &&
      Math.abs(next.shift - before.shift) < 1;
    if (same) return;
    // In the frame of the scroll event: a later one would show what is not drawn yet.
    flushSync(() => setSpot({ place: place.current, left: element.scrollLeft }));
  };
  const put = (next: ScrollPlace): void => {
    const element = scroller.current;
    if (!element) return;
    place.current = next;
    if (Math.abs(element.scrollTop - next.top) >= 1) scrollDown(element, next.top);
    // Browsers round to pixels of the screen.
    place.current = { top: element.scrollTop, virtual: next.virtual };
  };

  const timer = useRef(0);
  const touched = useRef(false);
  const listeners = useRef(new Set<() => void>());
  const settle = useEffectEvent(() => {
    if (touched.current) return;
    const next = settled(place.current, scale);
    if (!next) return;
    put(next);
    refresh();
  });
  const scroll = useEffectEvent(() => {
    const element = scroller.current;
    if (!element) return;
    place.current = scrolled(place.current, element.scrollTop, scale);
    if (stuck(place.current, scale)) {
      const next = settled(place.current, scale);
      if (next) put(next);
    }
    refresh();
    for (const hear of listeners.current) hear();
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => settle(), rest);
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const hear = (): void => scroll();
    const touch = (event: TouchEvent): void => {
      touched.current = event.touches.length > 0;
      if (!touched.current) hear();
    };
    element.addEventListener('scroll', hear, { passive: true });
    element.addEventListener('touchstart', touch, { passive: true });
    element.addEventListener('touchend', touch, { passive: true });
    element.addEventListener('touchcancel', touch, { passive: true });
    return () => {
      clearTimeout(timer.current);
      element.removeEventListener('scroll', hear);
      element.removeEventListener('touchstart', touch);
      element.removeEventListener('touchend', touch);
      element.removeEventListener('touchcancel', touch);
    };
  }, [scroller]);

  const keepPlace = useEffectEvent(() => {
    const virtual = Math.min(place.current.virtual, scale.end);
    const next = settled({ top: place.current.top, virtual }, scale);
    place.current = { top: place.current.top, virtual };
    if (next) put(next);
    setSpot({ place: place.current, left: scroller.current?.scrollLeft ?? 0 });
  });
  // Rows came or went: what is seen stays where it is.
  useLayoutEffect(() => keepPlace(), [scale]);

  const moveTo = (virtual: number): void => {
    const to = Math.max(0, Math.min(virtual, scale.end));
    const top = place.current.top + to - place.current.virtual;
    const near = Math.abs(to - place.current.virtual) < 4000 && top > 0 && top < scale.physicalEnd;
    put({ top: near ? top : scale.toPhysical(to), virtual: to });
    refresh();
  };
  /** Brings a cell into sight. */
  const reveal = ({ line, col }: Cell): void => {
    const element = scroller.current;
    if (!element) return;
    if (line >= 0) {
      const top = lines.topOf(line);
      const bottom = lines.topOf(line + 1);
      const { virtual } = place.current;
      if (top < virtual) moveTo(top);
      else if (bottom > virtual + seen) moveTo(bottom - seen);
    }
    const left = scrollToColumn(layout, col, element.scrollLeft, size.width);
    if (left !== element.scrollLeft) {
      scrollRight(element, left);
      refresh();
    }
  };
  const bounds = (): DOMRect | { left: number; top: number } => scroller.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
  /** px from the top of the list, of a place in the window. */
  const listY = (clientY: number): number => clientY - bounds().top - headHeight + place.current.virtual;
  const listX = (clientX: number): number => clientX - bounds().left;
  const cellAt = (clientX: number, clientY: number): Cell => ({
    line: lines.lineAt(listY(clientY)),
    col: columnAt(layout, Math.max(listX(clientX), layout.head), scroller.current?.scrollLeft ?? 0),
  });
  /** Where a cell stands in the window: from the edges of the scroller, px. */
  const boxOf = ({ line, col }: Cell): { left: number; top: number; width: number; height: number } | null => {
    const one = layout.all[col];
    if (!one) return null;
    const top = line < 0 ? 0 : lines.topOf(line) - place.current.virtual + headHeight;
    const height = line < 0 ? headHeight : lines.topOf(line + 1) - lines.topOf(line);
    return { left: col < layout.pins ? one.left : one.left - (scroller.current?.scrollLeft ?? 0), top, width: one.width, height };
  };
  /** The first line that is seen whole. */
  const firstSeen = (): number => Math.min(lines.count - 1, lines.lineAt(place.current.virtual + lines.rowHeight - 1));
  const onScroll = useCallback((hear: () => void) => {
    listeners.current.add(hear);
    return () => void listeners.current.delete(hear);
  }, []);
  return { view, scale, seen, reveal, moveTo, cellAt, listX, listY, boxOf, firstSeen, onScroll };
}
export type GridView = ReturnType<typeof useGridView>;

/** The size of the scroller; a desk's where it cannot be measured. */
export function useSize(scroller: RefObject<HTMLDivElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 1000, height: 600 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return size;
}
