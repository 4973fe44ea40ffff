import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { SignInRecord } from '@contract/account/factors';
import { useFormat } from '@/lib/format';
import { whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { phone, useMedia } from '@/lib/useMedia';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { PagedList } from '@/ui/list/PagedList';
import { RowList } from '@/ui/list/RowList';
import { PlaceCredit } from '@/ui/PlaceCredit';
import type { Column } from '@/ui/tableColumns';
import { useSignInsQuery } from './centerApi';

const address = { page: whole(1), size: whole(20, 10, 100) };

const Result = ({ record }: { readonly record: SignInRecord }): ReactElement => {
  const { t } = useTranslation('account');
  const good = record.result === 'done';
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, color: good ? 'text.primary' : 'error.main' }}>
      {!good && <Icon name="warning" size={14} />}
      {t(`history.result.${record.result}`)}
    </Box>
  );
};

/** The origin of a sign-in as text, also if unknown. */
function useRecordTexts() {
  const { t } = useTranslation('account');
  return {
    device: ({ device }: SignInRecord) => (device === '' ? t('center.unknownDevice') : device),
    place: ({ place }: SignInRecord) => (place === '' ? t('center.unknownPlace') : place),
  };
}

/** On a phone: one block per sign-in instead of a table row. */
function SignInCards({ records }: { readonly records: readonly SignInRecord[] }): ReactElement {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { device, place } = useRecordTexts();
  return (
    <RowList label={t('history.label')}>
      {records.map((record) => (
        <Box component="li" key={record.id} sx={{ py: 1, borderBottom: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
            <Typography variant="body2" sx={{ fontWeight: 500 }}>
              <Result record={record} />
            </Typography>
            <Typography variant="caption" sx={{ flex: 'none', color: 'text.secondary' }}>
              {format.dateTime(record.at)}
            </Typography>
          </Box>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {t(`history.factor.${record.factor}`)} · {device(record)}
          </Typography>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
            {place(record)} · {record.address}
          </Typography>
        </Box>
      ))}
    </RowList>
  );
}

/** All sign-in attempts of the person's account in ninety days; failures are highlighted. */
export default function HistoryTab(): ReactElement {
  const { t } = useTranslation('account');
  const format = useFormat();
  const onPhone = useMedia(phone);
  const { paging } = useListAddress(address);
  const result = useSignInsQuery({ page: paging.page, size: paging.size }, { refetchOnMountOrArgChange: true });
  const { device, place } = useRecordTexts();
  const columns: Column<SignInRecord>[] = [
    {
      id: 'at',
      name: t('history.column.at'),
      sortable: false,
      cell: ({ at }) => <span title={format.dateTime(at, { seconds: true })}>{format.dateTime(at)}</span>,
    },
    { id: 'result', name: t('history.column.result'), sortable: false, cell: (one) => <Result record={one} /> },
    { id: 'factor', name: t('history.column.factor'), sortable: false, cell: (one) => t(`history.factor.${one.factor}`) },
    { id: 'place', name: t('history.column.place'), sortable: false, cell: place },
    { id: 'address', name: t('history.column.address'), sortable: false, cell: (one) => one.address },
    { id: 'device', name: t('history.column.device'), sortable: false, cell: device },
  ];
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2, maxWidth: 720 }}>
        {t('history.lead')}
        <Link className="text-link in-text" to="?tab=sessions" preventScrollReset>
          {t('history.toSessions')}
        </Link>
        {t('history.between')}
        <Link className="text-link in-text" to="?tab=security" preventScrollReset>
          {t('history.toSecurity')}
        </Link>
        {t('history.end')}
      </Typography>
      <PagedList result={result} paging={paging} empty={<EmptyState title={t('history.empty')}>{t('history.emptyText')}</EmptyState>}>
        {(records) =>
          onPhone ? <SignInCards records={records} /> : <DataTable label={t('history.label')} columns={columns} rows={records} rowKey={(one) => one.id} />
        }
      </PagedList>
      <PlaceCredit />
    </>
  );
}
