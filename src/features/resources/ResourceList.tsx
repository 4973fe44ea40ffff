import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { Tag } from '@/ui/Tag';
import { clickOf, dragOf, GpsTag } from './ResourceGrid';
import type { ItemsProps } from './ResourceGrid';
import { ResourceName } from './ResourceName';
import { Thumbnail } from './Thumbnail';
import { useVirtualRows } from './useVirtualRows';

type RowProps = ItemsProps & {
  readonly resource: Resource;
  readonly index: number;
  readonly active: boolean;
  readonly onActive: () => void;
  readonly top: number;
};

/** Files have no dimensions, and no column for them. */
const sizesOf = (resource: Resource | undefined) => (resource?.kind === 'attachment' ? { 'data-file': '' } : {});

function Row({ resource, index, active, onActive, top, ...props }: RowProps): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { siteId, selection, mayWrite } = props;
  const { id, name, width, height, bytes, tags, uses, updatedAt } = resource;
  const selected = selection.ids.has(id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="resource-row"
      {...sizesOf(resource)}
      style={{ transform: `translateY(${String(top)}px)` }}
      {...(selected ? { 'data-selected': '' } : {})}
      {...dragOf(props, id)}
    >
      <span role="cell">
        {mayWrite && <input type="checkbox" checked={selected} tabIndex={-1} aria-label={t('item.select', { name })} onChange={() => selection.toggle(id)} />}
        <span className="resource-picture">
          <Thumbnail siteId={siteId} resource={resource} alt="" />
        </span>
        <a href={`?item=${id}`} data-index={index} tabIndex={active ? 0 : -1} title={name} draggable={false} onClick={clickOf(props, id)} onFocus={onActive}>
          <ResourceName name={name} />
        </a>
        <GpsTag resource={resource} />
      </span>
      <span role="cell">
        {tags.slice(0, 3).map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
      </span>
      {resource.kind !== 'attachment' && <span role="cell">{width !== null && height !== null && t('item.pixels', { width, height })}</span>}
      <span role="cell">{bytesText(bytes, format)}</span>
      <span role="cell">{format.number(uses)}</span>
      <span role="cell" title={format.dateTime(updatedAt)}>
        {format.relative(updatedAt)}
      </span>
    </div>
  );
}

const rowHeight = 44;
const columns = ['name', 'tags', 'pixels', 'bytes', 'uses', 'updated'] as const;

/** Resources as a table. */
export function ResourceList(props: ItemsProps): ReactElement {
  const { t } = useTranslation('resources');
  const { rows, selection, onOpen, onRemove, onEnd } = props;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { list, active, setActive, onKeyDown, items, margin, height } = useVirtualRows({ ids, columns: 1, rowHeight, selection, onOpen, onRemove, onEnd });
  return (
    <div role="table" aria-label={t('list.label')} aria-rowcount={rows.length + 1} className="resource-table">
      <div role="row" className="resource-row resource-head" {...sizesOf(rows[0])}>
        {columns
          .filter((column) => column !== 'pixels' || rows[0]?.kind !== 'attachment')
          .map((column) => (
            <span key={column} role="columnheader">
              {t(`column.${column}`)}
            </span>
          ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its links */}
      <div ref={list} role="rowgroup" className="resource-rows" style={{ height }} onKeyDown={onKeyDown}>
        {items.map(({ index, start }) => {
          const resource = rows[index];
          return (
            resource && (
              <Row
                key={resource.id}
                {...props}
                resource={resource}
                index={index}
                active={index === active}
                top={start - margin}
                onActive={() => setActive(index)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
