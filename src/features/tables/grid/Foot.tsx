import type { ReactNode } from 'react';
import type { ColumnLayout, PlacedColumn } from './columnLayout';
import type { GridLabels } from './useGridLabels';
import type { RenderWindow } from './viewport';

/** Aggregates below the columns; pressing one opens the menu of aggregates. */
export const Foot = ({
  layout,
  window,
  labels,
  row,
  onMenu,
}: {
  readonly layout: ColumnLayout;
  readonly window: RenderWindow;
  readonly labels: GridLabels;
  /** aria-rowindex. */
  readonly row: number;
  readonly onMenu: (col: number, button: HTMLElement) => void;
}) => {
  const { t } = labels;
  const cell = ({ column, left, width, at }: PlacedColumn): ReactNode => {
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
        {layout.all.slice(window.colFirst, window.colLast).map(cell)}
      </div>
    </div>
  );
};
