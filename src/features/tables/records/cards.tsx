import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentRecord } from '@contract/tables/records';
import type { ViewQuery } from '@contract/tables/views';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { consoleFieldTypeOf } from '../fieldTypes';
import { CellView } from '../fieldTypes/CellView';
import { asFiles, safeHref, useFieldEnv } from '../fieldTypes/env';
import { showValue } from '../fieldTypes/show';
import { StateMark } from './StateMark';
import { isSystem, visibleColumnsOf } from './viewState';

/** The display name of a record. */
export function useRecordName(table: ContentTable): (record: ContentRecord) => string {
  const { t } = useTranslation('tables');
  const env = useFieldEnv();
  const primary = table.fields.find(({ id }) => id === table.primaryField);
  return (record) => (primary ? showValue(primary, record.values[primary.id], env) : '') || t('record.untitled', { n: record.n });
}

/** The first fields of the view besides the name and what the card shows already. */
export const cardFields = (table: ContentTable, query: ViewQuery, without: readonly (string | null)[], most = 3): readonly TableField[] =>
  visibleColumnsOf(table, query)
    .flatMap(({ field: name }) => table.fields.find(({ id }) => id === name) ?? [])
    .filter(({ id, type }) => id !== table.primaryField && !without.includes(id) && type !== 'image' && type !== 'richText' && type !== 'slug')
    .slice(0, most);

/** Values are shown as text: a card is a single button and must not contain links. */

/** A record as a card: picture, name, a few fields. */
export const RecordCard = ({
  table,
  query,
  record,
  fields,
}: {
  readonly table: ContentTable;
  readonly query: ViewQuery;
  readonly record: ContentRecord;
  readonly fields: readonly TableField[];
}): ReactElement => {
  const name = useRecordName(table)(record);
  const env = useFieldEnv();
  const picture = query.cover === null ? undefined : asFiles(record.values[query.cover])[0];
  const source = picture && safeHref(picture.url);
  const filledFields = fields.filter(({ id }) => {
    const value = record.values[id];
    return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  });
  const state = table.drafts && visibleColumnsOf(table, query).some(({ field }) => isSystem(field) && field === '$state');
  return (
    <>
      {source != null && (
        <div className="tables-cover">
          <img src={source} alt={picture?.alt ?? ''} loading="lazy" decoding="async" />
        </div>
      )}
      <div className="tables-card-body">
        <b>{name}</b>
        {state && record.state !== 'published' && <StateMark value={record.state} />}
        {filledFields.length > 0 && (
          <dl>
            {filledFields.map((field) => (
              <div key={field.id}>
                <dt>{field.title}</dt>
                <dd>
                  {consoleFieldTypeOf(field.type).hasLinks === true ? (
                    showValue(field, record.values[field.id], env)
                  ) : (
                    <CellView field={field} value={record.values[field.id]} height="short" />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </>
  );
};
