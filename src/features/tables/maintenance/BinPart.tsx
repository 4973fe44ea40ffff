import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { useDeletedTablesQuery, useRestoreTableMutation } from '@/features/tables/parts/designApi';
import { TableIcon } from '@/features/tables/records/tableIcon';
import { TableBinRow, indexCount } from './TableBinRow';
import { useDaysLeft } from './useDaysLeft';

/** Tables whose bins are fetched at once: each needs two calls. */
const atOnce = 20;
/** Share of a limit from which a warning is shown. */
const near = 0.9;

const Restorable = ({ siteId, list }: { readonly siteId: string; readonly list: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const left = useDaysLeft();
  const [restore, { isLoading, error }] = useRestoreTableMutation();
  const take = async (table: ContentTable) => {
    const { data } = await restore({ siteId, table: table.id });
    if (data) dispatch(noticeShown({ tone: 'good', message: { key: 'tableAdmin:bin.restoredTable', values: { name: data.title } } }));
  };
  return (
    <>
      {isFailure(error) && <ErrorPanel title={t('failed')} failure={error} />}
      {list.length === 0 ? (
        <p className="admin-note">{t('bin.tablesNone')}</p>
      ) : (
        <ul className="admin-list">
          {list.map((table) => (
            <li key={table.id}>
              <TableIcon icon={table.icon} />
              <span>
                <b>{table.title}</b>
                {table.deletedAt !== null && (
                  <small>
                    {format.dateTime(table.deletedAt)} · {left(table.deletedAt)}
                  </small>
                )}
              </span>
              <Button variant="outlined" disabled={isLoading} aria-label={t('bin.restoreNamed', { name: table.title })} onClick={() => void take(table)}>
                {t('bin.restore')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const Limits = ({ tables }: { readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const fullest = (of: (table: ContentTable) => number) => tables.toSorted((a, b) => of(b) - of(a))[0];
  const fields = fullest((table) => table.fields.length);
  const indexes = fullest(indexCount);
  const rows = [
    { label: t('bin.limitTables'), used: tables.length, most: tableLimits.tables, where: undefined },
    { label: t('bin.limitFields'), used: fields?.fields.length ?? 0, most: tableLimits.fields, where: fields },
    { label: t('bin.limitIndexes'), used: indexes ? indexCount(indexes) : 0, most: tableLimits.indexes, where: indexes },
  ];
  return (
    <dl className="admin-facts">
      {rows.map(({ label, used, most, where }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {t('bin.limitOf', { used: format.number(used), most: format.number(most) })}
            <meter min={0} max={most} high={most * near} value={used} aria-label={label} />
            {used > 0 && where && <small>{t('bin.limitFieldsMost', { name: where.title })}</small>}
            {used >= most * near && <small className="admin-warn">{t('bin.limitNear')}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** Deleted tables, fields and records, their retention, and how much of the site's limits is used. */
export default function BinPart({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const result = useDeletedTablesQuery({ siteId: site.id });
  const [most, setMost] = useState(atOnce);
  return (
    <>
      <Section title={t('bin.tables')} note={t('bin.tablesNote')}>
        <ResultState result={result} skeleton={<RowsSkeleton rows={2} />}>
          {(list) => <Restorable siteId={site.id} list={list} />}
        </ResultState>
      </Section>
      <Section title={t('bin.byTable')} note={t('bin.byTableNote', { days: format.number(tableLimits.historyDays) })}>
        {tables.length === 0 ? (
          <p className="admin-note">{t('noTables')}</p>
        ) : (
          <ul className="admin-bins" aria-label={t('bin.byTable')}>
            {tables.slice(0, most).map((table) => (
              <TableBinRow key={table.id} siteId={site.id} table={table} />
            ))}
          </ul>
        )}
        {tables.length > most && (
          <Button sx={{ mt: 1 }} onClick={() => setMost(most + atOnce)}>
            {t('bin.more')}
          </Button>
        )}
      </Section>
      <Section title={t('bin.limits')}>
        <Limits tables={tables} />
      </Section>
    </>
  );
}
