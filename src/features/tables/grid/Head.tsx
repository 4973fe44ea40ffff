import type { ReactNode } from 'react';
import { Icon } from '@/ui/Icon';
import { cellId } from './Row';
import type { ColumnLayout, Placed } from './columns';
import { headHeight } from './lines';
import type { Selection } from './selection';
import { rangesOf } from './selection';
import type { GridProps } from './types';
import type { GridWords } from './useGridWords';
import type { View } from './useGridView';
import type { Drag } from './usePointer';

type Props = {
  readonly id: string;
  readonly props: GridProps;
  readonly layout: ColumnLayout;
  readonly view: View;
  readonly selection: Selection | null;
  readonly drag: Drag | null;
  readonly words: GridWords;
  readonly hasMenu: boolean;
  readonly onMenu: (col: number, button: HTMLElement) => void;
  readonly onFit: (column: string) => void;
};
const sorts = { asc: 'ascending', desc: 'descending' } as const;

/** The heads of the columns: chosen and dragged by a press, sized at their right edge, with a menu. */
export const Head = ({ id, props, layout, view, selection, drag, words, hasMenu, onMenu, onFit }: Props) => {
  const { t } = words;
  const chosen = (col: number): boolean => selection !== null && rangesOf(selection).some((range) => col >= range.left && col <= range.right);
  const onHead = selection?.anchor.line === -1 ? selection.anchor.col : null;
  const cell = ({ column, left, width, at }: Placed): ReactNode => (
    <div
      key={column.id}
      role="columnheader"
      className={`g-cell g-hcell${chosen(at) ? ' g-hchosen' : ''}${column.align === 'right' ? ' g-right' : ''}${onHead === at ? ' g-hactive' : ''}`}
      data-hcol={at}
      data-column={column.id}
      aria-colindex={at + 2}
      aria-sort={column.sorted ? sorts[column.sorted] : 'none'}
      {...(onHead === at ? { id: cellId(id, -1, at) } : {})}
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
      {hasMenu && (
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
      )}
      {props.onWidth && <span className="g-resize" data-resize aria-hidden="true" onDoubleClick={() => onFit(column.id)} />}
    </div>
  );
  const before = drag?.kind === 'column' ? drag.before : null;
  const dropLeft = before === null ? null : (layout.all[before]?.left ?? layout.width);
  const some = (props.checked?.size ?? 0) > 0;
  return (
    <div role="rowgroup" className="g-headgroup">
      <div role="row" className="g-head" aria-rowindex={1} style={{ height: headHeight }}>
        <div role="presentation" className="g-pins" style={{ width: layout.pinned }}>
          <div role="columnheader" className="g-rowhead g-corner" aria-colindex={1} style={{ width: layout.head }}>
            {props.onCheckAll ? (
              <input
                type="checkbox"
                className="g-check g-shown"
                tabIndex={-1}
                aria-label={t('checkAll')}
                checked={props.checkedAll ?? false}
                ref={(box) => {
                  if (box) box.indeterminate = some && props.checkedAll !== true;
                }}
                onChange={(event) => props.onCheckAll?.(event.currentTarget.checked)}
              />
            ) : (
              <span className="only-read">{t('number')}</span>
            )}
          </div>
          {layout.all.slice(0, layout.pins).map(cell)}
          {before !== null && before <= layout.pins && dropLeft !== null && <div className="g-coldrop" style={{ left: dropLeft - 1 }} />}
        </div>
        {layout.all.slice(view.colFirst, view.colLast).map(cell)}
        {before !== null && before > layout.pins && dropLeft !== null && <div className="g-coldrop" style={{ left: dropLeft - 1 }} />}
        {props.onAddField && (
          <div role="columnheader" className="g-cell g-addfield" aria-colindex={layout.all.length + 2} style={{ left: layout.width, width: 44 }}>
            <button type="button" tabIndex={-1} aria-label={t('addField')} title={t('addField')} onClick={(event) => props.onAddField?.(event.currentTarget)}>
              <Icon name="plus" size={16} />
            </button>
          </div>
        )}
      </div>
    </div>
  );
};

/** Aggregates under the columns; a press on one chooses another. */
export const Foot = ({
  layout,
  view,
  words,
  row,
  onMenu,
}: {
  readonly layout: ColumnLayout;
  readonly view: View;
  readonly words: GridWords;
  /** aria-rowindex. */
  readonly row: number;
  readonly onMenu: (col: number, button: HTMLElement) => void;
}) => {
  const { t } = words;
  const cell = ({ column, left, width, at }: Placed): ReactNode => {
    const { footer } = column;
    const text = footer && (
      <>
        <span className="g-footname">{footer.name}</span>
        <span className={footer.value === null ? 'g-footvalue g-computing' : 'g-footvalue'}>{footer.value ?? t('computing')}</span>
      </>
    );
    return (
      <div key={column.id} role="gridcell" className="g-cell g-fcell" aria-colindex={at + 2} style={{ left, width }}>
        {column.footerChoices && column.footerChoices.length > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            aria-haspopup="menu"
            {...(footer ? {} : { 'aria-label': t('summarize', { column: column.title }) })}
            onClick={(event) => onMenu(at, event.currentTarget)}
          >
            {text ?? <span className="g-footnone">{t('summary')}</span>}
          </button>
        ) : (
          text
        )}
      </div>
    );
  };
  return (
    <div role="rowgroup" className="g-footgroup">
      <div role="row" className="g-foot" aria-rowindex={row}>
        <div role="presentation" className="g-pins" style={{ width: layout.pinned }}>
          <div role="rowheader" className="g-rowhead" aria-colindex={1} style={{ width: layout.head }}>
            <span className="only-read">{t('summary')}</span>
            <span aria-hidden="true">Σ</span>
          </div>
          {layout.all.slice(0, layout.pins).map(cell)}
        </div>
        {layout.all.slice(view.colFirst, view.colLast).map(cell)}
      </div>
    </div>
  );
};
