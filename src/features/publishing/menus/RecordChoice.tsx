import { useDeferredValue, useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { useTablesQuery } from '@/features/tables/tablesApi';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FieldGroup } from '@/ui/form/Field';
import { FilterSelect } from '@/ui/FilterSelect';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { SearchBox } from '@/ui/SearchBox';
import { RowsSkeleton } from '@/ui/skeletons';
import { useRecordTitles } from '../useRecordTitles';
import type { ItemValues } from './itemValues';

/** A record as the target of an item: a table, a search, and what it finds. `tables`: ids of the tables with pages on the site. */
export function RecordChoice({
  site,
  form,
  tables: offered,
}: {
  readonly site: Site;
  readonly form: ContractForm<ItemValues>;
  readonly tables: readonly string[];
}): ReactElement {
  const { t } = useTranslation('publishing');
  const errorMessage = useFieldErrorMessage();
  const { field: table } = useController({ control: form.control, name: 'table' });
  const { field: record, fieldState } = useController({ control: form.control, name: 'record' });
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const { data: tables = [], isSuccess, error } = useTablesQuery({ siteId: site.id });
  const choices = tables.filter(({ id }) => offered.includes(id) || id === table.value);
  const chosenTable = table.value === '' ? (choices[0]?.id ?? '') : table.value;
  const found = useRecordTitles(site, chosenTable, { q });
  const chosen = useRecordTitles(site, chosenTable, { ids: record.value === null ? [] : [record.value] });
  const rows = [...chosen.rows, ...found.rows.filter(({ id }) => id !== record.value)];
  if (isFailure(error)) return <ErrorPanel failure={error} />;
  if (!isSuccess) return <RowsSkeleton rows={3} />;
  if (choices.length === 0) return <p className="publishing-quiet">{t('menu.noRecords')}</p>;
  const choose = (id: string): void => {
    table.onChange(chosenTable);
    record.onChange(id);
  };
  return (
    <FieldGroup label={t('menu.record')} error={errorMessage(fieldState.error?.message, { required: t('menu.recordNeeded') })}>
      <div className="publishing-buttons">
        <FilterSelect
          label={t('menu.table')}
          value={chosenTable}
          choices={choices.map(({ id, title }) => ({ value: id, label: title }))}
          onChoose={(id) => {
            table.onChange(id);
            record.onChange(null);
          }}
        />
        <SearchBox label={t('menu.findRecord')} value={text} onChange={setText} maxLength={200} />
      </div>
      <ul className="menu-records">
        {rows.map(({ id, title }) => (
          <li key={id}>
            <button type="button" aria-pressed={id === record.value} onClick={() => choose(id)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
      {rows.length === 0 && !found.isFetching && <p className="publishing-quiet">{t('menu.noneFound')}</p>}
    </FieldGroup>
  );
}
