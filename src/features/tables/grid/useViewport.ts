import { useLayoutEffect, useMemo, useState } from 'react';
import type { RefObject } from 'react';
import { scrollToColumn } from './columnLayout';
import type { ColumnLayout } from './columnLayout';
import { headHeight } from './displayRows';
import type { DisplayRows } from './displayRows';
import { makeScale } from './scrollScale';
import type { Cell } from './selection';
import { useVirtualScroll } from './useVirtualScroll';
import { cellGeometry, renderWindow } from './viewport';
import type { Size } from './viewport';

const setScrollLeft = (element: HTMLElement, left: number): void => void (element.scrollLeft = left);

/** The scrolled list: which part is rendered, and where cells are. `below`: px below the last row. `foot`: px covered by the foot. */
export function useViewport(
  scroller: RefObject<HTMLDivElement | null>,
  displayRows: DisplayRows,
  layout: ColumnLayout,
  size: Size,
  below: number,
  foot: number,
) {
  const visibleHeight = Math.max(1, size.height - headHeight - foot);
  const scale = useMemo(() => makeScale(displayRows.height + below, visibleHeight), [displayRows.height, below, visibleHeight]);
  const { window, place, refresh, moveTo, onScroll } = useVirtualScroll(scroller, scale, (at, scrollLeft) =>
    renderWindow(displayRows, layout, at, scrollLeft, { width: size.width, height: visibleHeight }),
  );
  const geometry = cellGeometry(displayRows, layout, () => {
    const { left, top } = scroller.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { left, top, virtual: place.current.virtual, scrollLeft: scroller.current?.scrollLeft ?? 0 };
  });

  /** Scrolls a cell into view. */
  const reveal = ({ displayIndex, col }: Cell): void => {
    const element = scroller.current;
    if (!element) return;
    if (displayIndex >= 0) {
      const top = displayRows.topOf(displayIndex);
      const bottom = displayRows.topOf(displayIndex + 1);
      const { virtual } = place.current;
      if (top < virtual) moveTo(top);
      else if (bottom > virtual + visibleHeight) moveTo(bottom - visibleHeight);
    }
    const left = scrollToColumn(layout, col, element.scrollLeft, size.width);
    if (left !== element.scrollLeft) {
      setScrollLeft(element, left);
      refresh();
    }
  };
  /** The first row that is fully visible. */
  const firstVisible = (): number => Math.min(displayRows.count - 1, displayRows.displayIndexAt(place.current.virtual + displayRows.rowHeight - 1));
  return { window, scale, visibleHeight, reveal, moveTo, firstVisible, onScroll, ...geometry };
}
export type Viewport = ReturnType<typeof useViewport>;

/** The size of the scroller; a desktop size where it cannot be measured. */
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
