import type { Zone } from './layoutDraft';
import type { useDragged } from './useDragged';

/** Where a dragged field would be dropped: before another field of the zone, or (null) at its end. */
export type Target = { readonly zone: Zone; readonly before: string | null };
export type Drag = ReturnType<typeof useDragged<Target>>;

/** The drop target at a point of the window: the upper half of a row is before it, the lower half after it. */
export function targetAt(x: number, y: number): Target | null {
  for (const zone of document.querySelectorAll<HTMLElement>('[data-layout-zone]')) {
    const box = zone.getBoundingClientRect();
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
    const rows = [...zone.querySelectorAll<HTMLElement>('[data-layout-field]')];
    const next = rows.find((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    return { zone: zone.dataset['layoutZone'] as Zone, before: next?.dataset['layoutField'] ?? null };
  }
  return null;
}
