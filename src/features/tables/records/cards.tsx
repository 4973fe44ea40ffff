import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentRecord } from '@contract/tables/records';
import type { ViewQuery } from '@contract/tables/views';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { consoleFieldTypeOf } from '../fieldTypes';
import { CellView } from '../fieldTypes/CellView';
import { fileItemsOf, isResourceUse, textIn } from '@contract/tables/fieldTypes/fileValues';
import type { FieldEnv } from '../fieldTypes/env';
import { safeHref, useFieldEnv } from '../fieldTypes/env';
import { FilePicture } from '../fieldTypes/files/FilePicture';
import { pictureAddress } from '../fieldTypes/files/filesApi';
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

/** The first picture of a value. Nothing if it has none, or if the picture cannot be loaded: an address elsewhere, which is fetched only later. */
const Cover = ({ env: { siteId, labels, format }, value }: { readonly env: FieldEnv; readonly value: unknown }): ReactElement | null => {
  const [failed, setFailed] = useState<string | null>(null);
  const items = fileItemsOf(value);
  const pictured = items.find((item) => {
    const file = isResourceUse(item) ? labels.resources?.[item.resource] : undefined;
    return file ? siteId !== null && pictureAddress(siteId, file) !== null : !isResourceUse(item) && safeHref(item.url) !== null;
  });
  if (!pictured) return null;
  if (!isResourceUse(pictured)) {
    const { url, alt = '' } = pictured;
    if (failed === url) return null;
    return (
      <div className="tables-cover">
        <img src={url.trim()} alt={alt} loading="lazy" decoding="async" onError={() => setFailed(url)} />
      </div>
    );
  }
  const file = labels.resources?.[pictured.resource];
  return !file || siteId === null ? null : (
    <div className="tables-cover">
      <FilePicture siteId={siteId} file={file} alt={textIn({ ...file.alt, ...pictured.alt }, format.locale) ?? ''} large fallback={null} />
    </div>
  );
};

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
  const filledFields = fields.filter(({ id }) => {
    const value = record.values[id];
    return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  });
  const state = table.drafts && visibleColumnsOf(table, query).some(({ field }) => isSystem(field) && field === '$state');
  return (
    <>
      {query.cover !== null && <Cover env={env} value={record.values[query.cover]} />}
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
