import ArrowDown from '@mui/icons-material/ArrowDownwardOutlined';
import ArrowUp from '@mui/icons-material/ArrowUpwardOutlined';
import Add from '@mui/icons-material/AddOutlined';
import Close from '@mui/icons-material/CloseOutlined';
import { Box, Button, IconButton, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordSort } from '@contract/tables/recordFilter';
import type { ViewQuery } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { columnOf, systemKinds, tableLimits } from '@contract/tables/terms';
import type { ViewKind } from '@contract/tables/terms';
import { Segmented } from '@/ui/form/Segmented';
import { SearchBox } from '@/ui/SearchBox';
import { filterColumns, findFilterColumn } from './filterModel';
import type { FilterColumn } from './filterModel';
import { FieldIcon } from './icons';
import { coverFields, dateFields, stackFields } from './newView';
import { Choose } from './parts';
import { useTableLabels } from './useTableLabels';
import { allColumns, isSystem, visibleColumnsOf } from './viewState';
import type { ViewChange } from './viewState';

export type PanelProps = { readonly table: ContentTable; readonly query: ViewQuery; readonly change: (change: ViewChange) => void };
const Quiet = ({ children }: { readonly children: string }): ReactElement => (
  <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
    {children}
  </Typography>
);
/** Columns that rows can be sorted by: not lists or objects. */
const sortable = (table: ContentTable): readonly FilterColumn[] =>
  filterColumns(table).filter(({ kind }) => kind !== 'object' && kind !== 'records' && kind !== 'list');
/** How well rows are grouped by a column: choices first, then other short lists of values, free text last. */
const groupRank = ({ kind, field }: FilterColumn): number =>
  field === null ? 5 : field.type === 'select' ? 0 : field.type === 'switch' || kind === 'record' ? 1 : kind === 'text' ? 4 : kind === 'number' ? 3 : 2;
/** Columns that rows can be grouped by, the most suitable first. */
export const groupable = (table: ContentTable): readonly FilterColumn[] =>
  filterColumns(table)
    .filter(
      ({ id, kind, field }) => id !== '$n' && kind !== 'object' && kind !== 'records' && kind !== 'list' && (field === null || columnOf[field.type] !== 'none'),
    )
    .toSorted((a, b) => groupRank(a) - groupRank(b));

const useDirections = () => {
  const { t } = useTranslation('tables');
  return (kind: FilterColumn['kind'] | undefined): readonly [string, string] => {
    if (kind === 'number') return [t('sort.upNumber'), t('sort.downNumber')];
    if (kind === 'date' || kind === 'datetime' || kind === 'time') return [t('sort.upDate'), t('sort.downDate')];
    return kind === 'text' ? [t('sort.upText'), t('sort.downText')] : [t('sort.up'), t('sort.down')];
  };
};

/** Sorting by several fields, in order of precedence. */
export const SortPanel = ({ table, query, change }: PanelProps): ReactElement => {
  const { t } = useTranslation('tables');
  const labels = useTableLabels(table);
  const directions = useDirections();
  const { sort } = query;
  const put = (next: readonly RecordSort[]) => change({ sort: [...next] });
  const free = sortable(table).filter(({ id }) => !sort.some(({ field }) => field === id));
  return (
    <>
      {sort.length === 0 && <Quiet>{t('sort.none')}</Quiet>}
      {sort.map((one, at) => {
        const [up, down] = directions(findFilterColumn(table, one.field)?.kind);
        const set = (next: RecordSort) => put(sort.map((other, index) => (index === at ? next : other)));
        return (
          <Box key={one.field} className="tables-rule-parts" sx={{ mb: 1 }}>
            <Choose
              label={t('sort.by', { n: at + 1 })}
              value={one.field}
              options={labels.options(sortable(table).filter(({ id }) => id === one.field || free.some((other) => other.id === id)))}
              onChange={(field) => set({ ...one, field })}
            />
            <Choose
              label={t('sort.direction')}
              value={one.descending ? 'down' : 'up'}
              options={[
                { id: 'up', name: up },
                { id: 'down', name: down },
              ]}
              onChange={(id) => set({ ...one, descending: id === 'down' })}
            />
            {at > 0 && (
              <IconButton
                aria-label={t('sort.raise')}
                title={t('sort.raise')}
                onClick={() => put(sort.map((other, index) => (index === at - 1 ? one : index === at ? (sort[at - 1] ?? other) : other)))}
              >
                <ArrowUp fontSize="small" />
              </IconButton>
            )}
            <IconButton aria-label={t('sort.remove')} title={t('sort.remove')} onClick={() => put(sort.filter((other) => other !== one))}>
              <Close fontSize="small" />
            </IconButton>
          </Box>
        );
      })}
      <Box sx={{ display: 'flex' }}>
        <Button
          startIcon={<Add />}
          disabled={sort.length >= tableLimits.sorts || free.length === 0}
          onClick={() => put([...sort, { field: free[0]?.id ?? '$n', descending: false }])}
        >
          {t('sort.add')}
        </Button>
        {sort.length > 0 && (
          <Button sx={{ ml: 'auto' }} onClick={() => put([])}>
            {t('sort.clear')}
          </Button>
        )}
      </Box>
    </>
  );
};

export const GroupPanel = ({ table, query, change }: PanelProps): ReactElement => {
  const { t } = useTranslation('tables');
  const labels = useTableLabels(table);
  const { group } = query;
  const all = groupable(table);
  const free = all.filter(({ id }) => !group.includes(id));
  return (
    <>
      {group.length === 0 && <Quiet>{t('group.none')}</Quiet>}
      {group.map((one, at) => (
        <Box key={one} className="tables-rule-parts" sx={{ mb: 1 }}>
          <Choose
            label={t('group.by', { n: at + 1 })}
            value={one}
            options={labels.options(all.filter(({ id }) => id === one || !group.includes(id)))}
            onChange={(field) => change({ group: group.map((other) => (other === one ? field : other)) })}
          />
          <IconButton aria-label={t('group.remove')} title={t('group.remove')} onClick={() => change({ group: group.filter((other) => other !== one) })}>
            <Close fontSize="small" />
          </IconButton>
        </Box>
      ))}
      <Button
        startIcon={<Add />}
        disabled={group.length >= tableLimits.groups || free.length === 0}
        onClick={() => change({ group: [...group, free[0]?.id ?? '$state'] })}
      >
        {t('group.add')}
      </Button>
    </>
  );
};

/** Which columns are shown, and in which order. */
export const FieldsPanel = ({ table, query, change }: PanelProps): ReactElement => {
  const { t } = useTranslation('tables');
  const labels = useTableLabels(table);
  const [typed, setTyped] = useState('');
  const visibleColumns = visibleColumnsOf(table, query);
  const hidden = allColumns(table).filter((name) => !visibleColumns.some(({ field }) => field === name));
  const search = typed.trim().toLowerCase();
  const matches = (name: string) => labels.column(name).toLowerCase().includes(search);
  const put = (next: typeof visibleColumns) => change({ columns: [...next] });
  const swap = (at: number, by: -1 | 1) => {
    const next = [...visibleColumns];
    const [one] = next.splice(at, 1);
    if (one) next.splice(at + by, 0, one);
    put(next);
  };
  const line = (name: string, at: number | null) => {
    const primary = name === table.primaryField;
    return (
      <Box key={name} component="li" className="tables-field-line">
        <label title={primary ? t('fields.primary') : undefined}>
          <input
            type="checkbox"
            checked={at !== null}
            disabled={primary}
            aria-label={t('fields.show', { name: labels.column(name) })}
            onChange={() => put(at === null ? [...visibleColumns, { field: name }] : visibleColumns.filter(({ field }) => field !== name))}
          />
          <FieldIcon column={{ field: isSystem(name) ? null : (table.fields.find(({ id }) => id === name) ?? null) }} />
          <span>{labels.column(name)}</span>
        </label>
        {at !== null && search === '' && (
          <>
            <IconButton disabled={at === 0} aria-label={t('fields.raise', { name: labels.column(name) })} onClick={() => swap(at, -1)}>
              <ArrowUp fontSize="small" />
            </IconButton>
            <IconButton disabled={at === visibleColumns.length - 1} aria-label={t('fields.lower', { name: labels.column(name) })} onClick={() => swap(at, 1)}>
              <ArrowDown fontSize="small" />
            </IconButton>
          </>
        )}
      </Box>
    );
  };
  return (
    <>
      <SearchBox wide label={t('fields.find')} value={typed} onChange={setTyped} />
      <Box component="ul" className="tables-field-list">
        {visibleColumns.map(({ field }, at) => (matches(field) ? line(field, at) : null))}
        {hidden.filter(matches).map((name) => line(name, null))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, mt: 1 }}>
        <Button onClick={() => put([...visibleColumns, ...hidden.filter((name) => !(name in systemKinds)).map((field) => ({ field }))])}>
          {t('fields.showAll')}
        </Button>
        <Button onClick={() => put(visibleColumns.filter(({ field }) => field === table.primaryField))}>{t('fields.hideAll')}</Button>
      </Box>
    </>
  );
};

/** Row height and colours, and the fields on which a gallery, kanban or calendar is based. */
export const LookPanel = ({ table, query, change, kind }: PanelProps & { readonly kind: ViewKind }): ReactElement => {
  const { t } = useTranslation('tables');
  const none = { id: '', name: t('views.setUp.none') };
  const pick = (label: string, value: string | null, options: readonly { id: string; name: string }[], put: (id: string | null) => void) => (
    <Box component="label" className="tables-labelled">
      <span>{label}</span>
      <Choose label={label} value={value ?? ''} options={[none, ...options]} onChange={(id) => put(id === '' ? null : id)} />
    </Box>
  );
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {kind === 'grid' && (
        <>
          <Segmented
            label={t('look.height')}
            value={query.rowHeight}
            choices={(['short', 'medium', 'tall'] as const).map((value) => ({ value, label: t(`look.heights.${value}`) }))}
            onChoose={(rowHeight) => change({ rowHeight })}
          />
          {pick(t('look.color'), query.colorBy, stackFields(table), (colorBy) => change({ colorBy }))}
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {t('look.colorHelp')}
          </Typography>
        </>
      )}
      {kind === 'kanban' && pick(t('views.setUp.stack'), query.stack, stackFields(table), (stack) => change({ stack }))}
      {(kind === 'gallery' || kind === 'kanban') && pick(t('views.setUp.cover'), query.cover, coverFields(table), (cover) => change({ cover }))}
      {kind === 'calendar' && (
        <>
          {pick(t('views.setUp.date'), query.date, dateFields(table), (date) => change({ date }))}
          {pick(t('views.setUp.dateEnd'), query.dateEnd, dateFields(table), (dateEnd) => change({ dateEnd }))}
        </>
      )}
      {kind === 'form' &&
        (['formTitle', 'formNote', 'formThanks'] as const).map((part) => {
          const label = t(part === 'formTitle' ? 'form.title' : part === 'formNote' ? 'form.note' : 'form.thanksLabel');
          return (
            <Box key={part} component="label" className="tables-labelled">
              <span>{label}</span>
              <textarea
                className="tables-input"
                rows={part === 'formTitle' ? 1 : 3}
                maxLength={part === 'formTitle' ? 200 : 2000}
                value={query[part]}
                onChange={(event) => change({ [part]: event.target.value })}
              />
            </Box>
          );
        })}
    </Box>
  );
};
