import { useMemo } from 'react';
import type { DragEvent, MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { Tag } from '@/ui/Tag';
import { ResourceName } from './ResourceName';
import { Thumbnail } from './Thumbnail';
import type { Selection } from './useSelection';
import { useColumns, useVirtualRows } from './useVirtualRows';

/** Type of dragged resources; the data are their ids. */
export const draggedResources = 'application/x-resource-ids';

export type ItemsProps = {
  readonly siteId: string;
  readonly rows: readonly Resource[];
  readonly selection: Selection;
  /** Whether resources can be selected and dragged. */
  readonly mayWrite: boolean;
  readonly onOpen: (id: string) => void;
  readonly onRemove: (() => void) | null;
  readonly onEnd: () => void;
};

/** A click opens a resource; with Shift or Ctrl it selects, as in file managers. */
export function clickOf({ selection, mayWrite, onOpen }: Pick<ItemsProps, 'selection' | 'mayWrite' | 'onOpen'>, id: string) {
  return (event: MouseEvent): void => {
    event.preventDefault();
    if (mayWrite && event.shiftKey) selection.extendTo(id);
    else if (mayWrite && (event.ctrlKey || event.metaKey)) selection.toggle(id);
    else onOpen(id);
  };
}

/** Drags the selected resources, or only this one if it is not selected. */
export const dragOf = ({ selection, mayWrite }: Pick<ItemsProps, 'selection' | 'mayWrite'>, id: string) => ({
  draggable: mayWrite,
  onDragStart: (event: DragEvent): void => {
    event.dataTransfer.setData(draggedResources, JSON.stringify(selection.ids.has(id) ? [...selection.ids] : [id]));
    event.dataTransfer.effectAllowed = 'move';
  },
});

/** What a resource measures: pixels, duration, bytes. */
export function useMeasures(): (resource: Resource) => readonly string[] {
  const { t } = useTranslation('resources');
  const format = useFormat();
  return ({ width, height, bytes, durationMs }) => [
    ...(width === null || height === null ? [] : [t('item.pixels', { width, height })]),
    ...(durationMs === null ? [] : [format.duration(durationMs / 1000)]),
    bytesText(bytes, format),
  ];
}

/** Marks a resource that contains the position where it was taken. */
export function GpsTag({ resource }: { readonly resource: Resource }): ReactElement | null {
  const { t } = useTranslation('resources');
  return resource.hasGps ? <Tag tone="warning">{t('item.gps')}</Tag> : null;
}

type CardProps = ItemsProps & { readonly resource: Resource; readonly index: number; readonly active: boolean; readonly onActive: () => void };

/** A resource as a picture with its name. */
export function Card({ resource, index, active, onActive, ...props }: CardProps): ReactElement {
  const { t } = useTranslation('resources');
  const measuresOf = useMeasures();
  const { siteId, selection, mayWrite } = props;
  const { id, name } = resource;
  const selected = selection.ids.has(id);
  return (
    <div role="listitem" className="resource-card" {...(selected ? { 'data-selected': '' } : {})} {...dragOf(props, id)}>
      <a href={`?item=${id}`} title={name} data-index={index} tabIndex={active ? 0 : -1} draggable={false} onClick={clickOf(props, id)} onFocus={onActive}>
        <span className="resource-picture">
          <Thumbnail siteId={siteId} resource={resource} alt="" />
        </span>
        <b>
          <ResourceName name={name} />
        </b>
        <small>{measuresOf(resource).join(' · ')}</small>
      </a>
      <GpsTag resource={resource} />
      {mayWrite && <input type="checkbox" checked={selected} tabIndex={-1} aria-label={t('item.select', { name })} onChange={() => selection.toggle(id)} />}
    </div>
  );
}

/** Space between cards, in px. */
export const cardGap = 12;
/** Height of a card below its picture, in px. */
export const captionHeight = 56;

/** Resources as cards with pictures. */
export function ResourceGrid(props: ItemsProps): ReactElement {
  const { t } = useTranslation('resources');
  const { rows, selection, onOpen, onRemove, onEnd } = props;
  const { box, columns, columnWidth } = useColumns(156, cardGap);
  const cardHeight = Math.round(columnWidth * 0.75) + captionHeight;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { list, active, setActive, onKeyDown, items, margin, height } = useVirtualRows({
    ids,
    columns,
    rowHeight: cardHeight + cardGap,
    selection,
    onOpen,
    onRemove,
    onEnd,
  });
  return (
    <div ref={box}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its links */}
      <div ref={list} role="list" aria-label={t('list.label')} className="resource-grid" style={{ height }} onKeyDown={onKeyDown}>
        {items.map(({ index: row, start }) => (
          <div
            key={row}
            role="presentation"
            className="resource-grid-row"
            style={{
              gridTemplateColumns: `repeat(${String(columns)}, minmax(0, 1fr))`,
              height: cardHeight,
              transform: `translateY(${String(start - margin)}px)`,
            }}
          >
            {rows.slice(row * columns, (row + 1) * columns).map((resource, column) => {
              const index = row * columns + column;
              return <Card key={resource.id} {...props} resource={resource} index={index} active={index === active} onActive={() => setActive(index)} />;
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
