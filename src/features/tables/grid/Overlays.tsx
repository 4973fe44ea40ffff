import type { ColumnLayout } from './columns';
import type { Lines } from './lines';
import { fillTarget, rangesOf, rangeOf, sameCell } from './selection';
import type { Range, Selection } from './selection';
import type { Other, RowSource } from './types';
import type { View } from './useGridView';
import type { Drag } from './usePointer';

type Props = {
  readonly lines: Lines;
  readonly layout: ColumnLayout;
  readonly view: View;
  readonly selection: Selection | null;
  readonly drag: Drag | null;
  readonly fills: boolean;
  readonly editing: boolean;
  readonly others: readonly Other[];
  readonly source: RowSource;
  readonly words: { readonly fill: string; readonly other: (name: string) => string };
};

/**
 * What is chosen, drawn over the rows, so that no cell is drawn again when the selection changes: once among the columns that scroll, and once over the
 * pinned ones, which lie above them. The parts of a range beyond what is drawn are left out: no element is higher than browsers allow.
 */
export const Overlays = ({ lines, layout, view, selection, drag, fills, editing, others, source, words }: Props) => {
  const boxOf = (range: Range, pinned: boolean) => {
    const left = pinned ? range.left : Math.max(range.left, layout.pins);
    const right = pinned ? Math.min(range.right, layout.pins - 1) : range.right;
    const top = Math.max(range.top, view.first - 1, 0);
    const bottom = Math.min(range.bottom, view.last, lines.count - 1);
    const [start, end] = [layout.all[left], layout.all[right]];
    if (left > right || top > bottom || !start || !end) return null;
    const y = lines.topOf(top) - view.origin;
    return { left: start.left, width: end.left + end.width - start.left, top: y, height: lines.topOf(bottom + 1) - view.origin - y };
  };
  const current = selection && rangeOf(selection);
  const filled = drag?.kind === 'fill' && current ? (fillTarget(current, drag.to)?.range ?? null) : null;
  const seen = others.flatMap((other) => {
    const col = layout.all.findIndex((one) => one.column.id === other.column);
    if (col === -1) return [];
    for (let line = view.first; line < view.last; line += 1) {
      const one = lines.at(line);
      if (one?.kind === 'row' && source.row(one.index)?.id === other.rowId) return [{ other, range: { top: line, bottom: line, left: col, right: col } }];
    }
    return [];
  });
  const layer = (pinned: boolean) => {
    const corner =
      current && current.right < layout.pins === pinned && current.top >= 0 && current.bottom < view.last && selection?.more.length === 0
        ? boxOf(current, pinned)
        : null;
    const active = selection && selection.anchor.col < layout.pins === pinned && selection.anchor.line >= 0 ? selection.anchor : null;
    const activeBox = active && boxOf({ top: active.line, bottom: active.line, left: active.col, right: active.col }, pinned);
    return (
      <>
        {selection &&
          !(selection.more.length === 0 && sameCell(selection.anchor, selection.head)) &&
          rangesOf(selection).map((range, place) => {
            const box = boxOf(range, pinned);
            // oxlint-disable-next-line react/no-array-index-key -- ranges have no names of their own
            return box && <div key={place} className="g-range" style={box} />;
          })}
        {filled && boxOf(filled, pinned) && <div className="g-filling" style={boxOf(filled, pinned) ?? {}} />}
        {seen.map(({ other, range }) => {
          const box = boxOf(range, pinned);
          return (
            box && (
              <div key={other.id} className="g-other" style={{ ...box, borderColor: other.color }} title={words.other(other.name)}>
                <span style={{ background: other.color }}>{other.name}</span>
              </div>
            )
          );
        })}
        {activeBox && <div className="g-active" style={activeBox} />}
        {fills && !editing && corner && (
          <div className="g-handle" data-handle title={words.fill} style={{ left: corner.left + corner.width - 5, top: corner.top + corner.height - 5 }} />
        )}
      </>
    );
  };
  const drop = drag?.kind === 'rows' ? lines.topOf(drag.before) - view.origin : null;
  return (
    <>
      <div className="g-over" aria-hidden="true">
        {layer(false)}
      </div>
      <div className="g-overpins" aria-hidden="true">
        {layer(true)}
        {drop !== null && <div className="g-rowdrop" style={{ top: drop - 1 }} />}
      </div>
    </>
  );
};
