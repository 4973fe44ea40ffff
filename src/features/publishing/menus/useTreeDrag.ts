import { useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { fittingPlace, split } from './menuTree';
import type { MenuRows, Place } from './menuTree';

/** Width of a level on the screen, in pixels (`--level` in publishing.css). */
const levelWidth = 24;

type Drag = { readonly id: string; readonly startX: number; readonly startDepth: number; readonly place: Place | null };

/** Dragging an item of a menu by its handle, with the mouse or a finger: up and down to another place, left and right to another level. Escape cancels. */
export function useTreeDrag(rows: MenuRows, onPlace: (id: string, place: Place) => void) {
  const [list, setList] = useState<HTMLOListElement | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);

  const placeAt = ({ id, startX, startDepth }: Drag, x: number, y: number): Place | null => {
    const { own, others } = split(rows, id);
    const ids = new Set(others.map(({ item }) => item.id));
    const boxes = Array.from(list?.querySelectorAll<HTMLElement>('[data-item]') ?? []).filter((one) => ids.has(one.dataset['item'] ?? ''));
    const index = boxes.filter((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + height / 2 < y;
    }).length;
    return fittingPlace(own, others, { index, depth: Math.max(0, startDepth + Math.round((x - startX) / levelWidth)) });
  };

  const handleOf = (id: string, depth: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ id, startX: event.clientX, startDepth: depth, place: null });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag?.id === id) setDrag({ ...drag, place: placeAt(drag, event.clientX, event.clientY) });
    },
    onPointerUp: () => {
      if (drag?.place) onPlace(drag.id, drag.place);
      setDrag(null);
    },
    onPointerCancel: () => setDrag(null),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && drag) {
        event.stopPropagation();
        setDrag(null);
      }
    },
  });
  return { setList, dragged: drag?.id ?? null, place: drag?.place ?? null, handleOf };
}
