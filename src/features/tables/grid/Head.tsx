import { useEffect, useRef } from 'react';
import type { MouseEvent, ReactNode, SyntheticEvent } from 'react';
import { Icon } from '@/ui/Icon';
import { cellId } from './Row';
import type { PlacedColumn } from './columnLayout';
import { headHeight } from './displayRows';
import type { Drag } from './drag';
import type { GridModel } from './gridModel';
import type { Selection } from './selection';
import { allRanges } from './selection';
import type { GridProps } from './types';
import type { GridLabels } from './useGridLabels';

/** Characters of a column's title. */
const maxTitleLength = 100;
const sorts = { asc: 'ascending', desc: 'descending' } as const;

/** Renaming of a column in its head. `column`: the one being renamed; `end`: with the new title, or null to leave it. */
type ColumnRename = {
  readonly column: string | null;
  readonly begin: (column: string) => void;
  readonly end: (title: string | null) => void;
};

/** The title of a column while it is renamed: Enter and leaving it save, Escape leaves the title as it was. */
const TitleField = ({ title, label, onEnd }: { readonly title: string; readonly label: string; readonly onEnd: ColumnRename['end'] }) => {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (next: string | null): void => {
    if (isDone.current) return;
    isDone.current = true;
    const text = next?.trim() ?? '';
    onEnd(text === '' || text === title ? null : text);
  };
  const stop = (event: SyntheticEvent): void => event.stopPropagation();
  return (
    <input
      ref={field}
      className="g-rename"
      aria-label={label}
      defaultValue={title}
      maxLength={maxTitleLength}
      onPointerDown={stop}
      onClick={stop}
      onDoubleClick={stop}
      onContextMenu={stop}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter' || event.key === 'Tab') {
          event.preventDefault();
          end(event.currentTarget.value);
        } else if (event.key === 'Escape') end(null);
      }}
      onBlur={(event) => end(event.currentTarget.value)}
    />
  );
};

type HeadCellProps = {
  readonly model: GridModel;
  readonly placed: PlacedColumn;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly rename: ColumnRename;
  readonly onMenu: (col: number, button: HTMLElement) => void;
  readonly onFit: (column: string) => void;
};

/** The head of one column, with indicators of sorting and filter, its menu and the resize handle. */
const HeadCell = ({ model, placed: { column, left, width, at }, isSelected, isActive, rename, onMenu, onFit }: HeadCellProps) => {
  const { id, props, labels } = model;
  const { t } = labels;
  const fitHere = (event: MouseEvent): void => {
    event.stopPropagation();
    onFit(column.id);
  };
  const isRenamable = props.onRenameField !== undefined && !column.system;
  if (isRenamable && rename.column === column.id)
    return (
      <div role="columnheader" className="g-cell g-hcell g-hactive" data-column={column.id} aria-colindex={at + 2} style={{ left, width }}>
        <TitleField title={column.title} label={t('renameField', { column: column.title })} onEnd={rename.end} />
      </div>
    );
  return (
    <div
      role="columnheader"
      {...(isRenamable ? { onDoubleClick: () => rename.begin(column.id) } : {})}
      className={`g-cell g-hcell${isSelected ? ' g-hchosen' : ''}${column.align === 'right' ? ' g-right' : ''}${isActive ? ' g-hactive' : ''}`}
      data-hcol={at}
      data-column={column.id}
      aria-colindex={at + 2}
      aria-sort={column.sorted ? sorts[column.sorted] : 'none'}
      {...(isActive ? { id: cellId(id, -1, at) } : {})}
      style={{ left, width }}
      title={column.note === undefined ? column.title : `${column.title}\n${column.note}`}
    >
      {column.icon !== undefined && <span className="g-icon">{column.icon}</span>}
      <span className="g-title">{column.title}</span>
      {column.note !== undefined && <span className="only-read">{column.note}</span>}
      {column.badge !== undefined && <span className="g-badge">{column.badge}</span>}
      {column.sorted && (
        <span className="g-mark" title={t(column.sorted === 'asc' ? 'sortedUp' : 'sortedDown')}>
          <span aria-hidden="true">{column.sorted === 'asc' ? '↑' : '↓'}</span>
        </span>
      )}
      {column.filtered && (
        <span className="g-mark g-filtered" title={t('filtered')}>
          <span className="only-read">{t('filtered')}</span>
        </span>
      )}
      <button
        type="button"
        className="g-hmenu"
        tabIndex={-1}
        aria-haspopup="menu"
        aria-label={t('columnMenu', { column: column.title })}
        onClick={(event) => onMenu(at, event.currentTarget)}
      >
        <span aria-hidden="true" />
      </button>
      {props.onWidth && <span className="g-resize" data-resize aria-hidden="true" onDoubleClick={fitHere} />}
    </div>
  );
};

/** The corner above the row heads: a check box for all records where rows can be checked. */
const Corner = ({ props, labels: { t }, width }: { readonly props: GridProps; readonly labels: GridLabels; readonly width: number }) => {
  const isPartly = (props.checked?.size ?? 0) > 0 && props.checkedAll !== true;
  return (
    <div role="columnheader" className="g-rowhead g-corner" aria-colindex={1} style={{ width }}>
      {props.onCheckAll ? (
        <input
          type="checkbox"
          className="g-check g-shown"
          tabIndex={-1}
          aria-label={t('checkAll')}
          checked={props.checkedAll ?? false}
          ref={(box) => {
            if (box) box.indeterminate = isPartly;
          }}
          onChange={(event) => props.onCheckAll?.(event.currentTarget.checked)}
        />
      ) : (
        <span className="only-read">{t('number')}</span>
      )}
    </div>
  );
};

type HeadProps = Pick<HeadCellProps, 'model' | 'rename' | 'onMenu' | 'onFit'> & { readonly selection: Selection | null; readonly drag: Drag | null };

/** The heads of the columns: a press selects, dragging moves, the right edge resizes; each has a menu. */
export const Head = ({ model, selection, drag, rename, onMenu, onFit }: HeadProps) => {
  const { props, labels, layout, viewport } = model;
  const { window } = viewport;
  const ranges = selection ? allRanges(selection) : [];
  const activeCol = selection?.anchor.displayIndex === -1 ? selection.anchor.col : null;
  const cell = (placed: PlacedColumn): ReactNode => (
    <HeadCell
      key={placed.column.id}
      model={model}
      placed={placed}
      isSelected={ranges.some(({ left, right }) => placed.at >= left && placed.at <= right)}
      isActive={activeCol === placed.at}
      rename={rename}
      onMenu={onMenu}
      onFit={onFit}
    />
  );
  const before = drag?.kind === 'column' ? drag.before : null;
  const dropMark = before !== null && <div className="g-coldrop" style={{ left: (layout.all[before]?.left ?? layout.width) - 1 }} />;
  const isPinnedDrop = before !== null && before <= layout.pins;
  return (
    <div role="rowgroup" className="g-headgroup">
      <div role="row" className="g-head" aria-rowindex={1} style={{ height: headHeight }}>
        <div role="presentation" className="g-pins" style={{ width: layout.pinned }}>
          <Corner props={props} labels={labels} width={layout.head} />
          {layout.all.slice(0, layout.pins).map(cell)}
          {isPinnedDrop && dropMark}
        </div>
        {layout.all.slice(window.colFirst, window.colLast).map(cell)}
        {!isPinnedDrop && dropMark}
        {props.onAddField && (
          <div role="columnheader" className="g-cell g-addfield" aria-colindex={layout.all.length + 2} style={{ left: layout.width, width: 44 }}>
            <button type="button" aria-label={labels.t('addField')} title={labels.t('addField')} onClick={(event) => props.onAddField?.(event.currentTarget)}>
              <Icon name="plus" size={16} />
            </button>
          </div>
        )}
      </div>
    </div>
  );
};
