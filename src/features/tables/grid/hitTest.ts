/** What a pointer is over. `displayIndex` and `col` are null where the part belongs to no row or column. */
export type Hit = {
  readonly area: 'fillHandle' | 'columnEdge' | 'columnHead' | 'rowGrip' | 'rowHead' | 'cell' | null;
  readonly displayIndex: number | null;
  readonly col: number | null;
};

const numberIn = (element: Element | null, attribute: string): number | null => {
  const text = element?.getAttribute(attribute) ?? null;
  return text === null ? null : Number(text);
};

function areaOf(target: Element, displayIndex: number | null, col: number | null): Hit['area'] {
  if (target.closest('[data-handle]')) return 'fillHandle';
  if (target.closest('[data-hcol]')) return target.closest('[data-resize]') ? 'columnEdge' : 'columnHead';
  if (displayIndex === null) return null;
  if (target.closest('[data-rowhead]')) return target.closest('[data-grip]') ? 'rowGrip' : 'rowHead';
  return col === null ? null : 'cell';
}

/** The part of the grid that an element belongs to, by the attributes that `Row`, `Head` and `Overlays` put on their elements. */
export function hitTest(target: Element): Hit {
  const displayIndex = numberIn(target.closest('[data-line]'), 'data-line');
  const head = target.closest('[data-hcol]');
  const col = head ? numberIn(head, 'data-hcol') : numberIn(target.closest('[data-col]'), 'data-col');
  return { area: areaOf(target, displayIndex, col), displayIndex, col };
}
