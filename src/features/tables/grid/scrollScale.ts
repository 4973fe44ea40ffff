/**
 * Browsers limit the height of an element: 17 895 697 px in Firefox, 33 554 428 px in Chrome, and less on zoomed pages. A higher list is scrolled in a lower
 * element. Both ends are true to scale, so that they are reached exactly; the part between is compressed.
 */
const most = 6_000_000;
const edge = 1_000_000;
/** A step of more px than this comes from the scroll bar: wheels, touch and keys move less in one frame, the bar of so high an element far more. */
const jump = 4000;

export type Scale = {
  /** Height of the scrolled element, px. */
  readonly physical: number;
  /** The maximum scroll offsets of the list and of the element. */
  readonly end: number;
  readonly physicalEnd: number;
  readonly toVirtual: (top: number) => number;
  readonly toPhysical: (virtual: number) => number;
};

/** `content`: height of the list; `viewport`: height of its visible part; px. */
export function makeScale(content: number, viewport: number): Scale {
  const physical = Math.min(content, most);
  const end = Math.max(0, content - viewport);
  const physicalEnd = Math.max(0, physical - viewport);
  if (physical === content) return { physical, end, physicalEnd, toVirtual: (top) => clamp(top, end), toPhysical: (virtual) => clamp(virtual, end) };
  const stretch = (end - 2 * edge) / (physicalEnd - 2 * edge);
  return {
    physical,
    end,
    physicalEnd,
    toVirtual: (top) => {
      const at = clamp(top, physicalEnd);
      if (at <= edge) return at;
      if (at >= physicalEnd - edge) return end - (physicalEnd - at);
      return Math.round(edge + (at - edge) * stretch);
    },
    toPhysical: (virtual) => {
      const at = clamp(virtual, end);
      if (at <= edge) return at;
      if (at >= end - edge) return physicalEnd - (end - at);
      return Math.round(edge + (at - edge) / stretch);
    },
  };
}

const clamp = (value: number, end: number): number => Math.max(0, Math.min(value, end));

/** Scroll position: `virtual` px of the list are above the visible part, while the element is scrolled by `top` px. */
export type ScrollPlace = { readonly top: number; readonly virtual: number };

/** The position after the element was scrolled to `top`. Small steps move the list by the same amount; the scroll bar moves it in proportion. */
export function placeAfterScroll(before: ScrollPlace, top: number, scale: Scale): ScrollPlace {
  const delta = top - before.top;
  if (scale.physicalEnd === scale.end || Math.abs(delta) > jump) return { top, virtual: scale.toVirtual(top) };
  return { top, virtual: clamp(before.virtual + delta, scale.end) };
}

/** The element's position once scrolling rests, leaving space for small steps in both directions. null: it is already there. */
export function placeAtRest(place: ScrollPlace, scale: Scale): ScrollPlace | null {
  const top = scale.toPhysical(place.virtual);
  return Math.abs(top - place.top) < 1 ? null : { top, virtual: clamp(place.virtual, scale.end) };
}
/** At an end of the element although the list continues: the position must be corrected without waiting for rest. */
export const isStuck = (place: ScrollPlace, scale: Scale): boolean =>
  (place.top <= 0 && place.virtual > 0) || (place.top >= scale.physicalEnd && place.virtual < scale.end);
