import Grip from '@mui/icons-material/DragIndicatorOutlined';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { FieldIcon } from '@/features/tables/records/icons';
import { Tag } from '@/ui/Tag';
import { useDragged } from './useDragged';

const moved = <T,>(list: readonly T[], from: number, to: number): T[] => {
  const rest = list.filter((_one, i) => i !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
};
const rowAt = (_x: number, y: number): string | null =>
  [...document.querySelectorAll<HTMLElement>('[data-design-field]')].find((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return y >= top && y < bottom;
  })?.dataset['designField'] ?? null;

/** A field in the list, with indicators of its requirements. */
const FieldButton = ({
  table,
  field,
  current,
  onOpen,
}: {
  readonly table: ContentTable;
  readonly field: TableField;
  readonly current: boolean;
  readonly onOpen: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  return (
    <button type="button" className="design-open" aria-current={current ? 'true' : undefined} onClick={onOpen}>
      <FieldIcon column={{ field }} />
      <b>{field.title}</b>
      <code>{field.key}</code>
      <span>
        {field.problem !== null && <Tag tone="bad">{t('fields.broken')}</Tag>}
        {table.primaryField === field.id && <Tag>{t('fields.primary')}</Tag>}
        {(['required', 'unique', 'localized', 'hidden', 'sensitive'] as const).map((flag) => field[flag] && <Tag key={flag}>{t(`fields.${flag}`)}</Tag>)}
        {t(`type.${field.type}`)}
      </span>
    </button>
  );
};

/** Fields in order, which dragging a handle or arrow keys on it change. */
export const FieldList = ({
  table,
  current,
  search,
  mayDesign,
  onOpen,
  onOrder,
}: {
  readonly table: ContentTable;
  readonly current: string;
  /** Lower-case text that filters the list; a filtered list cannot be reordered. */ readonly search: string;
  readonly mayDesign: boolean;
  readonly onOpen: (id: string) => void;
  readonly onOrder: (ids: readonly string[], moved: TableField, at: number) => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { fields } = table;
  const visibleFields = fields.filter(({ title, key }) => title.toLowerCase().includes(search) || key.includes(search));
  const movable = mayDesign && search === '' && fields.length > 1;
  const put = (field: TableField, to: number): void => {
    const from = fields.indexOf(field);
    if (to < 0 || to >= fields.length || to === from) return;
    onOrder(
      moved(fields, from, to).map(({ id }) => id),
      field,
      to,
    );
  };
  const press = (field: TableField) => (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    put(field, fields.indexOf(field) + by);
  };
  const { held, over, handle } = useDragged(rowAt, (id, target) => {
    const field = fields.find((one) => one.id === id);
    if (field)
      put(
        field,
        fields.findIndex((one) => one.id === target),
      );
  });
  if (visibleFields.length === 0) return <p className="design-quiet">{t('fields.noneFound')}</p>;
  return (
    <ul className="design-rows" aria-label={t('fields.list')}>
      {visibleFields.map((field) => (
        <li
          key={field.id}
          className="design-row"
          data-design-field={field.id}
          data-current={field.id === current ? '' : undefined}
          data-over={held !== null && over === field.id && held !== field.id ? '' : undefined}
        >
          {movable && (
            <button type="button" className="design-grip" aria-label={t('fields.move', { name: field.title })} onKeyDown={press(field)} {...handle(field.id)}>
              <Grip aria-hidden="true" />
            </button>
          )}
          <FieldButton table={table} field={field} current={field.id === current} onOpen={() => onOpen(field.id)} />
        </li>
      ))}
    </ul>
  );
};
