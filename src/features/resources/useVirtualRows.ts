import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Selection } from './useSelection';

type Options = {
  readonly ids: readonly string[];
  readonly columns: number;
  /** Height of a row including the gap below it, in px. */
  readonly rowHeight: number;
  /** Height of each item including the gap below it, in px, if they stand in columns of their own. */
  readonly heightOf?: (index: number) => number;
  /** What the heights depend on: with another value they are read again. */
  readonly measured?: unknown;
  readonly selection: Selection;
  readonly onOpen: (id: string) => void;
  readonly onRemove: (() => void) | null;
  /** Called when the last rows come into view. */
  readonly onEnd: () => void;
};

/** The number of columns that fit into an element that is at least `least` px wide each, and how wide the element is. */
export function useColumns(least: number, gap: number) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Without layout, as in tests, the width of a laptop counts.
  const available = width === 0 ? 1000 : width;
  const columns = Math.max(2, Math.floor((available + gap) / (least + gap)));
  return { box, columns, columnWidth: (available - gap * (columns - 1)) / columns };
}

/** Rows of a list that scrolls with the page, of which only the visible ones are rendered; arrows, Space, Enter and Delete work on them. */
export function useVirtualRows({ ids, columns, rowHeight, heightOf, measured, selection, onOpen, onRemove, onEnd }: Options) {
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [active, setActive] = useState(0);
  /** Items of one virtual row. */
  const perRow = heightOf ? 1 : columns;
  const count = Math.ceil(ids.length / perRow);
  // What is above the list changes its place, and thereby the height of the page.
  useLayoutEffect(() => {
    const measure = (): void => setMargin(list.current ? Math.round(list.current.getBoundingClientRect().top + window.scrollY) : 0);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: heightOf ?? (() => rowHeight),
    lanes: heightOf ? columns : 1,
    overscan: heightOf ? 4 * columns : 4,
    scrollMargin: margin,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight, columns, measured]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (last >= count - Math.ceil((5 * columns) / perRow)) end();
  }, [last, count, columns, perRow]);

  /** The item below (1) or above (-1) another one. */
  const beside = (at: number, direction: 1 | -1): number => {
    if (!heightOf) return at + direction * columns;
    const places = virtualizer.measurementsCache;
    let next = at + direction;
    while (places[next] && places[next]?.lane !== places[at]?.lane) next += direction;
    return places[next] ? next : at;
  };
  const go = (next: number): void => {
    const index = Math.min(ids.length - 1, Math.max(0, next));
    setActive(index);
    virtualizer.scrollToIndex(Math.floor(index / perRow));
    // The row may have to be rendered first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${String(index)}"]`)?.focus({ preventScroll: true })),
    );
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const at = Number((event.target as HTMLElement).dataset['index'] ?? Number.NaN);
    const id = ids[at];
    if (id === undefined) return;
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: beside(at, 1), ArrowUp: beside(at, -1), Home: 0, End: ids.length - 1 }[event.key];
    const next = target === undefined ? undefined : ids[Math.min(ids.length - 1, Math.max(0, target))];
    if (target !== undefined && next !== undefined) {
      if (event.shiftKey) {
        if (selection.ids.size === 0) selection.toggle(id);
        else selection.extendTo(next);
      }
      go(target);
    } else if (event.key === ' ') selection.toggle(id);
    else if (event.key === 'Enter') onOpen(id);
    else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear();
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selection.selectAll();
    else if (event.key === 'Delete' && selection.ids.size > 0 && onRemove) onRemove();
    else return;
    event.preventDefault();
  };
  return { list, active: Math.min(active, Math.max(0, ids.length - 1)), setActive, onKeyDown, items, margin, height: virtualizer.getTotalSize() };
}
