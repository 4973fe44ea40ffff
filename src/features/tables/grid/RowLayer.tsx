import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Icon } from '@/ui/Icon';
import { Overlays } from './Overlays';
import { GroupRow, Row, waitingCells } from './Row';
import type { RowOptions } from './Row';
import { groupHeight } from './displayRows';
import type { Drag } from './drag';
import type { GridModel } from './gridModel';
import type { Selection } from './selection';
import type { GridProps } from './types';
import type { Size } from './viewport';

const noOthers: NonNullable<GridProps['others']> = [];

type Props = {
  readonly model: GridModel;
  readonly selection: Selection | null;
  readonly drag: Drag | null;
  readonly size: Size;
  readonly isEditing: boolean;
};

/** The rows of the render window. Elements are reused during scrolling, and each row renders only when its own props change. */
function useRows({ id, props, labels, displayRows, layout, viewport }: GridModel, selection: Selection | null, size: Size): ReactNode[] {
  const { source, height = 'short' } = props;
  const { first, last, colFirst, colLast, origin } = viewport.window;
  const checks = props.onCheck !== undefined;
  const opens = props.onOpen !== undefined;
  const moves = props.onMoveRows !== undefined;
  const options = useMemo<RowOptions>(() => ({ id, height, labels, checks, opens, moves }), [id, height, labels, checks, opens, moves]);
  const placeholders = useMemo(
    () => ({ pins: waitingCells(layout, 0, layout.pins), rest: waitingCells(layout, colFirst, colLast) }),
    [layout, colFirst, colLast],
  );
  const slots = Math.ceil(size.height / Math.min(displayRows.rowHeight, groupHeight)) + 24;
  const rows: ReactNode[] = [];
  for (let displayIndex = first; displayIndex < last; displayIndex += 1) {
    const displayed = displayRows.at(displayIndex);
    if (!displayed) continue;
    const active = selection?.anchor.displayIndex === displayIndex ? selection.anchor.col : null;
    const key = `${displayed.kind}${String(displayIndex % slots)}`;
    const common = { displayIndex, top: displayRows.topOf(displayIndex) - origin, layout, colFirst, colLast, options };
    if (displayed.kind === 'row') {
      const row = source.row(displayed.index);
      const checked = row !== undefined && (props.checkedAll === true || props.checked?.has(row.id) === true);
      rows.push(
        <Row
          key={key}
          {...common}
          index={displayed.index}
          row={row}
          active={active}
          checked={checked}
          placeholders={placeholders}
          rowHeight={displayRows.rowHeight}
        />,
      );
    } else
      rows.push(
        <GroupRow
          key={key}
          {...common}
          group={displayed.group}
          folded={displayed.folded}
          active={active !== null}
          adds={props.onAddRow !== undefined}
          rowHeight={groupHeight}
        />,
      );
  }
  return rows;
}

/** The scrolled layer: rows, their overlays, and the button that adds a row below the last. */
export const RowLayer = ({ model, selection, drag, size, isEditing }: Props) => {
  const { props, labels, displayRows, layout, viewport } = model;
  const { window, scale } = viewport;
  const rows = useRows(model, selection, size);
  return (
    <div role="rowgroup" className="g-rows" style={{ height: scale.physical }}>
      <div role="presentation" className="g-layer" style={{ top: window.shift }}>
        {rows}
        <Overlays
          displayRows={displayRows}
          layout={layout}
          window={window}
          selection={selection}
          drag={drag}
          fills={props.onWrite !== undefined}
          editing={isEditing}
          others={props.others ?? noOthers}
          source={props.source}
          labels={labels}
        />
        {props.onAddRow && window.last >= displayRows.count && (
          <div role="row" className="g-addrow" aria-rowindex={displayRows.count + 2} style={{ top: displayRows.height - window.origin, height: groupHeight }}>
            <div role="gridcell" aria-colindex={1} aria-colspan={layout.all.length + 1}>
              <button type="button" tabIndex={-1} onClick={() => props.onAddRow?.(null)}>
                <Icon name="plus" size={16} />
                {labels.t('addRow')}
              </button>
            </div>
          </div>
        )}
      </div>
    </div>
  );
};
