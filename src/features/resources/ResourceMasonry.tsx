import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { captionHeight, Card, cardGap } from './ResourceGrid';
import type { ItemsProps } from './ResourceGrid';
import { useColumns, useVirtualRows } from './useVirtualRows';

/** A picture is shown no lower or higher than these shares of its width; beyond them it is a strip. */
const [lowest, highest] = [0.4, 2];

const heightIn = (width: number, resource: Resource | undefined): number => {
  const share = resource?.width && resource.height ? resource.height / resource.width : 1;
  return Math.round(width * Math.min(highest, Math.max(lowest, share))) + captionHeight;
};

/** Pictures in columns, each as high as its proportions; their places are known before they have loaded. */
export function ResourceMasonry(props: ItemsProps): ReactElement {
  const { t } = useTranslation('resources');
  const { rows, selection, onOpen, onRemove, onEnd } = props;
  const { box, columns, columnWidth } = useColumns(196, cardGap);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { list, active, setActive, onKeyDown, items, margin, height } = useVirtualRows({
    ids,
    columns,
    rowHeight: columnWidth,
    heightOf: (index) => heightIn(columnWidth, rows[index]) + cardGap,
    measured: rows,
    selection,
    onOpen,
    onRemove,
    onEnd,
  });
  return (
    <div ref={box}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its links */}
      <div ref={list} role="list" aria-label={t('list.label')} className="resource-grid" style={{ height }} onKeyDown={onKeyDown}>
        {items.map(({ index, start, lane, size }) => {
          const resource = rows[index];
          return (
            resource && (
              <div
                key={resource.id}
                role="presentation"
                className="resource-masonry-item"
                style={{
                  width: columnWidth,
                  height: size - cardGap,
                  transform: `translate(${String(lane * (columnWidth + cardGap))}px, ${String(start - margin)}px)`,
                }}
              >
                <Card {...props} resource={resource} index={index} active={index === active} onActive={() => setActive(index)} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
