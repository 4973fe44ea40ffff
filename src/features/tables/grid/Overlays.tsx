import type { ColumnLayout } from './columnLayout';
import type { DisplayRows } from './displayRows';
import { fillTarget, allRanges, activeRange, sameCell } from './selection';
import type { Range, Selection } from './selection';
import type { OtherUser, RowSource } from './types';
import type { Drag } from './drag';
import type { GridLabels } from './useGridLabels';
import type { RenderWindow } from './viewport';

type Props = {
  readonly displayRows: DisplayRows;
  readonly layout: ColumnLayout;
  readonly window: RenderWindow;
  readonly selection: Selection | null;
  readonly drag: Drag | null;
  readonly fills: boolean;
  readonly editing: boolean;
  readonly others: readonly OtherUser[];
  readonly source: RowSource;
  readonly labels: GridLabels;
};

/**
 * The selection, drawn over the rows so that no cell renders again when it changes: once among the scrolling columns, and once over the pinned ones, which lie
 * above them. Ranges are clipped to the rendered window, so that no element exceeds the height that browsers allow.
 */
export const Overlays = ({ displayRows, layout, window, selection, drag, fills, editing, others, source, labels }: Props) => {
  const boxOf = (range: Range, pinned: boolean) => {
    const left = pinned ? range.left : Math.max(range.left, layout.pins);
    const right = pinned ? Math.min(range.right, layout.pins - 1) : range.right;
    const top = Math.max(range.top, window.first - 1, 0);
    const bottom = Math.min(range.bottom, window.last, displayRows.count - 1);
    const [start, end] = [layout.all[left], layout.all[right]];
    if (left > right || top > bottom || !start || !end) return null;
    const y = displayRows.topOf(top) - window.origin;
    return { left: start.left, width: end.left + end.width - start.left, top: y, height: displayRows.topOf(bottom + 1) - window.origin - y };
  };
  const current = selection && activeRange(selection);
  const filled = drag?.kind === 'fill' && current ? (fillTarget(current, drag.to)?.range ?? null) : null;
  const visibleOthers = others.flatMap((other) => {
    const col = layout.all.findIndex((one) => one.column.id === other.column);
    if (col === -1) return [];
    for (let displayIndex = window.first; displayIndex < window.last; displayIndex += 1) {
      const one = displayRows.at(displayIndex);
      if (one?.kind === 'row' && source.row(one.index)?.id === other.rowId)
        return [{ other, range: { top: displayIndex, bottom: displayIndex, left: col, right: col } }];
    }
    return [];
  });
  const layer = (pinned: boolean) => {
    const corner =
      current && current.right < layout.pins === pinned && current.top >= 0 && current.bottom < window.last && selection?.more.length === 0
        ? boxOf(current, pinned)
        : null;
    const active = selection && selection.anchor.col < layout.pins === pinned && selection.anchor.displayIndex >= 0 ? selection.anchor : null;
    const activeBox = active && boxOf({ top: active.displayIndex, bottom: active.displayIndex, left: active.col, right: active.col }, pinned);
    return (
      <>
        {selection &&
          !(selection.more.length === 0 && sameCell(selection.anchor, selection.head)) &&
          allRanges(selection).map((range, place) => {
            const box = boxOf(range, pinned);
            // oxlint-disable-next-line react/no-array-index-key -- ranges have no names of their own
            return box && <div key={place} className="g-range" style={box} />;
          })}
        {filled && boxOf(filled, pinned) && <div className="g-filling" style={boxOf(filled, pinned) ?? {}} />}
        {visibleOthers.map(({ other, range }) => {
          const box = boxOf(range, pinned);
          return (
            box && (
              <div key={other.id} className="g-other" style={{ ...box, borderColor: other.color }} title={labels.t('others', { name: other.name })}>
                <span style={{ background: other.color }}>{other.name}</span>
              </div>
            )
          );
        })}
        {activeBox && <div className="g-active" style={activeBox} />}
        {fills && !editing && corner && (
          <div
            className="g-handle"
            data-handle
            title={labels.t('fill')}
            style={{ left: corner.left + corner.width - 5, top: corner.top + corner.height - 5 }}
          />
        )}
      </>
    );
  };
  const drop = drag?.kind === 'rows' ? displayRows.topOf(drag.before) - window.origin : null;
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
