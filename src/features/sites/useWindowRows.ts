import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';

/** Lists with more sites than this are rendered as far as they are visible. */
export const virtualAbove = 60;

/**
 * Which rows of a list that scrolls with the page are rendered, and the heights that stand for the others. `rowHeight`: in px, with the gap below. The element of
 * `list` is where the rows begin.
 */
export function useWindowRows<E extends HTMLElement>(count: number, rowHeight: number) {
  const list = useRef<E>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => setTop(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 4,
    scrollMargin: top,
    initialRect: { width: 1280, height: 900 },
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return {
    list,
    from: first?.index ?? 0,
    to: (last?.index ?? -1) + 1,
    before: first === undefined ? 0 : first.start - top,
    after: last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - top),
  };
}
