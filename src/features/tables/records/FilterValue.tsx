import { Box } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { removedChoice } from '@contract/tables/fieldText';
import type { ContentTable } from '@contract/tables/schemas';
import { dateRanges } from '@contract/tables/terms';
import { useDebounced } from '@/lib/useDebounced';
import { DateInput, readMoment } from '@/ui/date/DateInput';
import { SearchBox } from '@/ui/SearchBox';
import { useRecordsQuery, useTablePeopleQuery } from '../tablesApi';
import type { FilterContext } from './FilterBuilder';
import { operandKind } from './filterModel';
import type { FilterColumn, Rule } from './filterModel';
import { Choose } from './parts';
import { linkedTable } from './relations';
import { useTableLabels } from './useTableLabels';

type Props = {
  readonly column: FilterColumn;
  readonly rule: Rule;
  readonly table: ContentTable;
  readonly context: FilterContext;
  readonly onChange: (value: unknown) => void;
};
const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);

/** The value of a condition, with an editor for the column's kind. */
export const FilterValue = (props: Props): ReactElement | null => {
  const { column, rule, table, context, onChange } = props;
  const { t, i18n } = useTranslation('tables');
  const labels = useTableLabels(table);
  const label = t('filter.value');
  const isDay = column.kind === 'date' || column.kind === 'datetime';
  switch (operandKind(rule.op)) {
    case 'nothing':
    case 'filter':
      return null;
    case 'range':
      return <Choose label={label} value={asText(rule.value)} options={dateRanges.map((id) => ({ id, name: t(`range.${id}`) }))} onChange={onChange} />;
    case 'two': {
      const [from = '', to = ''] = Array.isArray(rule.value) ? rule.value.map(asText) : [];
      const bare = (value: string) => (column.kind === 'number' && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value);
      return (
        <Box sx={{ display: 'flex', gap: 0.5, alignItems: 'center' }}>
          <Plain kind={column.kind} label={t('filter.from')} value={from} onChange={(next) => onChange([bare(next), bare(to)])} />
          <span aria-hidden="true">–</span>
          <Plain kind={column.kind} label={t('filter.to')} value={to} onChange={(next) => onChange([bare(from), bare(next)])} />
        </Box>
      );
    }
    case 'many': {
      const chosen = asList(rule.value);
      const choices = labels.choicesOf(column);
      // Choices that have since been removed can still be deselected.
      const gone = chosen.filter((id) => !choices.some((choice) => choice.id === id));
      const removed = gone.map((id) => ({ id, name: removedChoice(i18n.language), color: 'var(--n-4)' }));
      if (choices.length > 0) return <Several label={label} options={[...choices, ...removed]} chosen={chosen} onChange={onChange} />;
      if (column.kind === 'record' || column.kind === 'records') return <Pick {...props} chosen={chosen} context={context} onChoose={onChange} />;
      return (
        <Plain
          kind="text"
          label={label}
          placeholder={t('filter.severalHint')}
          value={Array.isArray(rule.value) ? rule.value.map(asText).join(', ') : ''}
          onChange={(text) => {
            const parts = text.split(/[,，、]\s*/).filter((part) => part !== '');
            onChange(column.kind === 'number' ? parts.map((part) => (Number.isFinite(Number(part)) ? Number(part) : part)) : parts);
          }}
        />
      );
    }
    case 'one': {
      if (column.kind === 'boolean')
        return (
          <Choose
            label={label}
            value={rule.value === false ? 'no' : 'yes'}
            options={(['yes', 'no'] as const).map((id) => ({ id, name: t(`filter.${id}`) }))}
            onChange={(id) => onChange(id === 'yes')}
          />
        );
      const choices = labels.choicesOf(column);
      if (choices.length > 0)
        return <Choose label={label} value={asText(rule.value)} options={[{ id: '', name: t('filter.choose') }, ...choices]} onChange={onChange} />;
      if (column.kind === 'record' || column.kind === 'records')
        return <Pick {...props} chosen={asText(rule.value) === '' ? [] : [asText(rule.value)]} single onChoose={([id]) => onChange(id ?? '')} />;
      if (isDay) return <Day kind={column.kind} label={label} value={asText(rule.value)} onChange={onChange} />;
      return (
        <Plain
          kind={column.kind}
          label={label}
          value={asText(rule.value)}
          onChange={(text) => onChange(column.kind === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)}
        />
      );
    }
  }
};

const isMoment = (kind: FilterColumn['kind']): kind is 'date' | 'datetime' | 'time' => kind === 'date' || kind === 'datetime' || kind === 'time';
/** Typed text is applied after a pause, so that not every character sends a request. */
const Plain = ({
  kind,
  label,
  value,
  placeholder,
  onChange,
}: {
  readonly kind: FilterColumn['kind'];
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}): ReactElement => {
  if (isMoment(kind))
    return (
      <DateInput
        kind={kind}
        small
        aria-label={label}
        // The reader's local time is edited; the condition is in UTC.
        value={kind === 'datetime' && value.endsWith('Z') ? toLocal(value) : value}
        onChange={(next) => {
          // A half-typed date keeps the condition.
          const moment = next === '' ? '' : readMoment(kind, next);
          if (moment !== null) onChange(kind === 'datetime' && moment !== '' ? new Date(moment).toISOString() : moment);
        }}
      />
    );
  return (
    <input
      className="tables-input"
      type="text"
      inputMode={kind === 'number' ? 'decimal' : undefined}
      aria-label={label}
      placeholder={placeholder}
      maxLength={500}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
};
const two = (n: number): string => String(n).padStart(2, '0');
function toLocal(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime())
    ? ''
    : `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

const relative = ['$today', '$today-1d', '$today+1d', '$today-7d', '$today-30d', '$today+7d', '$today+30d'] as const;
/** A named day, a number of days relative to today, or a calendar date. */
const Day = ({
  kind,
  label,
  value,
  onChange,
}: {
  readonly kind: 'date' | 'datetime' | FilterColumn['kind'];
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const named = value.startsWith('$');
  const step = /^\$today([+-])(\d{1,4})d$/.exec(value);
  const known = (relative as readonly string[]).includes(value);
  const name = (id: string): string => {
    const parts = /^\$today(?:([+-])(\d+)d)?$/.exec(id);
    if (!parts?.[1]) return t('day.today');
    const count = Number(parts[2]);
    if (count === 1) return t(parts[1] === '-' ? 'day.yesterday' : 'day.tomorrow');
    return t(parts[1] === '-' ? 'day.ago' : 'day.ahead', { count });
  };
  return (
    <Box sx={{ display: 'flex', gap: 0.5 }}>
      <Choose
        label={label}
        value={named ? (known ? value : step ? 'step' : value) : 'day'}
        options={[
          { id: 'day', name: t('day.exact') },
          ...relative.map((id) => ({ id: id as string, name: name(id) })),
          ...(named && !known ? [{ id: step ? 'step' : value, name: step ? name(value) : value }] : []),
        ]}
        onChange={(id) => {
          if (id !== 'step') onChange(id === 'day' ? '' : id);
        }}
      />
      {!named && <Plain kind={kind} label={t('day.exact')} value={value} onChange={onChange} />}
    </Box>
  );
};

/** Check boxes for a few options. */
const Several = ({
  label,
  options,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly name: string; readonly color: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}): ReactElement => (
  <Box role="group" aria-label={label} className="tables-several">
    {options.map(({ id, name, color }) => (
      <label key={id}>
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={(event) => onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
        <i aria-hidden="true" style={{ background: color }} />
        {name}
      </label>
    ))}
  </Box>
);

/** Chooses records of the other table by label, or people of the site. */
const Pick = ({
  column,
  context,
  chosen,
  single = false,
  onChoose,
}: Props & { readonly chosen: readonly string[]; readonly single?: boolean; readonly onChoose: (ids: readonly string[]) => void }): ReactElement => {
  const { t } = useTranslation('tables');
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim(), 250);
  const other = linkedTable(context.tables, column.field);
  const found = useRecordsQuery({ siteId: context.siteId, table: other?.id ?? '', limit: 20, ...(q === '' ? {} : { q }) }, { skip: other === undefined });
  const named = useRecordsQuery(
    { siteId: context.siteId, table: other?.id ?? '', limit: 50, ids: chosen.join(',') },
    { skip: other === undefined || chosen.length === 0 },
  );
  const nameOf = (values: Readonly<Record<string, unknown>>, n: number): string => {
    const value = other?.primaryField == null ? null : values[other.primaryField];
    return typeof value === 'string' && value !== '' ? value : t('record.untitled', { n });
  };
  const own = column.field === null || column.field.type === 'user';
  const offered = useTablePeopleQuery({ siteId: context.siteId, ...(q === '' ? {} : { q }) }, { skip: !own });
  const listed = offered.data ?? [];
  // Selected people stay visible whatever the search text.
  const people = own
    ? [
        { id: '$user', name: t('filter.me') },
        ...chosen
          .filter((id) => id !== '$user' && !listed.some((one) => one.id === id))
          .map((id) => ({ id, name: context.people[id] ?? (offered.data ? t('filter.unknownPerson') : '…') })),
        ...listed,
      ]
    : [];
  const options = other
    ? [...(named.data?.rows ?? []), ...(found.data?.rows ?? []).filter(({ id }) => !chosen.includes(id))].map(({ id, values, n }) => ({
        id,
        name: nameOf(values, n),
      }))
    : people;
  const find = other ? t('filter.findRecord', { table: other.title }) : own ? t('filter.findPerson') : '';
  return (
    <Box role="group" aria-label={t('filter.value')} className="tables-several">
      {find !== '' && <SearchBox wide label={find} value={typed} onChange={setTyped} />}
      {options.map(({ id, name }) => (
        <label key={id}>
          <input
            type={single ? 'radio' : 'checkbox'}
            checked={chosen.includes(id)}
            onChange={(event) => onChoose(single ? [id] : event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
          {name}
        </label>
      ))}
    </Box>
  );
};
