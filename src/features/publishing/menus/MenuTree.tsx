import { Button } from '@mui/material';
import { Fragment, useEffect, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuItem } from '@contract/publishing/parts';
import type { Site } from '@contract/sites/schemas';
import { removeRow } from '@/lib/removeRow';
import { Icon } from '@/ui/Icon';
import { useRecordTitles } from '../useRecordTitles';
import { useTextIn } from '../useTextIn';
import { placeItem, removeItem, split, stepItem } from './menuTree';
import type { Direction, MenuRow, MenuRows, Place } from './menuTree';
import { useTreeDrag } from './useTreeDrag';

const directions: Readonly<Record<string, Direction>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };

/** Where an item leads, in words: the path, the address, or the title of the record. */
function TargetText({ site, target }: { readonly site: Site; readonly target: MenuItem['target'] }): ReactElement {
  const { t } = useTranslation('publishing');
  const { rows, isFetching } = useRecordTitles(site, 'record' in target ? target.table : '', { ids: 'record' in target ? [target.record] : [] });
  if ('path' in target) return <>{target.path}</>;
  if ('url' in target) return <>{target.url}</>;
  const [record] = rows;
  return <>{record ? t('menu.recordTarget', { title: record.title }) : t(isFetching ? 'resource.loading' : 'menu.recordMissing')}</>;
}

type RowProps = {
  readonly site: Site;
  readonly row: MenuRow;
  readonly name: string;
  readonly readOnly: boolean;
  readonly dragged: boolean;
  readonly handle: ReturnType<ReturnType<typeof useTreeDrag>['handleOf']>;
  readonly onStep: (direction: Direction) => void;
  readonly onEdit: () => void;
  readonly onRemove: (button: HTMLElement) => void;
};

function ItemRow({ site, row, name, readOnly, dragged, handle, onStep, onEdit, onRemove }: RowProps): ReactElement {
  const { t } = useTranslation('publishing');
  const onKeyDown = (event: KeyboardEvent): void => {
    handle.onKeyDown(event);
    const direction = directions[event.key];
    if (!event.altKey || direction === undefined) return;
    event.preventDefault();
    onStep(direction);
  };
  return (
    <li className="menu-item" data-item={row.item.id} data-depth={row.depth} data-dragged={dragged}>
      {!readOnly && (
        <button
          type="button"
          className="menu-handle"
          aria-label={t('menu.move', { name })}
          title={t('menu.moveHelp')}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
          {...handle}
          onKeyDown={onKeyDown}
        >
          <Icon name="menu" size={16} />
        </button>
      )}
      <span>
        <b>{name}</b>
        <small>
          <TargetText site={site} target={row.item.target} />
        </small>
      </span>
      {!readOnly && (
        <span>
          <Button aria-label={t('menu.editOf', { name })} onClick={onEdit}>
            {t('menu.edit')}
          </Button>
          <Button aria-label={t('menu.removeOf', { name })} onClick={({ currentTarget }) => onRemove(currentTarget)}>
            {t('menu.remove')}
          </Button>
        </span>
      )}
    </li>
  );
}

/** Moves items with announcements; the handle of a moved item keeps the focus. */
function useMoves(rows: MenuRows, onChange: (rows: MenuRows) => void, nameOf: (row: MenuRow | undefined) => string) {
  const { t } = useTranslation('publishing');
  const [announcement, setAnnouncement] = useState('');
  const [moved, setMoved] = useState<{ readonly id: string } | null>(null);
  useEffect(() => {
    if (moved) document.querySelector<HTMLElement>(`[data-item="${CSS.escape(moved.id)}"] .menu-handle`)?.focus();
  }, [moved]);
  const apply = (id: string, next: MenuRows): void => {
    const at = next.findIndex(({ item }) => item.id === id);
    const name = nameOf(next[at]);
    const isSame = next === rows;
    setAnnouncement(t(isSame ? 'menu.stays' : 'menu.moved', { name, place: at + 1, count: next.length, level: (next[at]?.depth ?? 0) + 1 }));
    if (isSame) return;
    setMoved({ id });
    onChange(next);
  };
  return {
    announcement,
    step: (id: string, direction: Direction) => apply(id, stepItem(rows, id, direction)),
    place: (id: string, place: Place) => apply(id, placeItem(rows, id, place)),
  };
}

/** The items of a menu. They are moved by dragging, or with Alt and the arrow keys. */
export function MenuTree({
  site,
  rows,
  readOnly,
  onChange,
  onEdit,
  onEmptied,
}: {
  readonly site: Site;
  readonly rows: MenuRows;
  readonly readOnly: boolean;
  readonly onChange: (rows: MenuRows) => void;
  readonly onEdit: (row: MenuRow) => void;
  /** After the last item was removed. */
  readonly onEmptied: () => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const nameOf = (row: MenuRow | undefined): string => row?.item.label[site.defaultLang] ?? (textIn(row?.item.label) || t('menu.unnamed'));
  const moves = useMoves(rows, onChange, nameOf);
  const { setList, dragged, place, handleOf } = useTreeDrag(rows, moves.place);
  const { others } = split(rows, dragged ?? '');
  const target = place && (others[place.index]?.item.id ?? null);
  const mark = place && <li className="menu-mark" data-depth={place.depth} aria-hidden="true" />;
  return (
    <>
      <ol className="menu-items" ref={setList}>
        {rows.map((row) => (
          <Fragment key={row.item.id}>
            {row.item.id === target && mark}
            <ItemRow
              site={site}
              row={row}
              name={nameOf(row)}
              readOnly={readOnly}
              dragged={row.item.id === dragged}
              handle={handleOf(row.item.id, row.depth)}
              onStep={(direction) => moves.step(row.item.id, direction)}
              onEdit={() => onEdit(row)}
              onRemove={(button) => {
                if (!removeRow(button, () => onChange(removeItem(rows, row.item.id)))) onEmptied();
              }}
            />
          </Fragment>
        ))}
        {target === null && mark}
      </ol>
      <p className="only-read" role="status">
        {moves.announcement}
      </p>
    </>
  );
}
