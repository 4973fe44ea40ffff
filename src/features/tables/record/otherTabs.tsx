import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ContentTable } from '@contract/tables/schemas';
import { ResultState } from '@/ui/ResultState';
import { CopyButton } from '@/ui/CopyButton';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useRecordLinksQuery } from './recordApi';
import type { OfRecord } from './recordApi';
import type { LabelledRecord } from './useRecordEdits';

/** The records that link to this one. */
export const LinksTab = ({ of }: { readonly of: OfRecord }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const result = useRecordLinksQuery(of);
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={3} />}>
      {(links) =>
        links.length === 0 ? (
          <EmptyState title={t('links.none')}>{t('links.noneText')}</EmptyState>
        ) : (
          <ul className="rec-links">
            {links.map((link) => (
              <li key={`${link.fieldId} ${link.recordId}`}>
                <Link to={{ search: new URLSearchParams({ table: link.tableId, record: link.recordId }).toString() }}>{link.label}</Link>
                <span>{t('links.via', { table: link.tableTitle, field: link.fieldTitle })}</span>
              </li>
            ))}
          </ul>
        )
      }
    </ResultState>
  );
};

/** The record as the API returns it, by keys. */
export const JsonTab = ({ table, record }: { readonly table: ContentTable; readonly record: LabelledRecord }): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const { labels: _labels, ...rest } = record;
  const values = Object.fromEntries(table.fields.flatMap(({ id, key }) => (id in record.values ? [[key, record.values[id]] as const] : [])));
  const text = JSON.stringify({ ...rest, values }, null, 2);
  return (
    <>
      <p className="rec-jsonhead">
        <span className="tables-quiet-note">{t('json.note')}</span>
        <CopyButton text={text}>{t('json.copy')}</CopyButton>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the keyboard */}
      <pre className="rec-json" tabIndex={0}>
        {text}
      </pre>
    </>
  );
};
