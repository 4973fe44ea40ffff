import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveredDay } from '@contract/publishing/preview';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { oneOf, useSearchState } from '@/lib/searchState';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { useDeliveredDaysQuery } from '../publishingApi';

/** Lengths of the period in days; counts are stored for the longest. */
const periods = ['7', '30', '180'] as const;
const address = { days: oneOf(periods, '7') };

const hasRequests = ({ pages, measured, programs, notFound, errors }: DeliveredDay): boolean => pages + measured + programs + notFound + errors > 0;

function Days({ days }: { readonly days: readonly DeliveredDay[] }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const count = (id: 'pages' | 'measured' | 'programs' | 'notFound' | 'errors'): Column<DeliveredDay> => ({
    id,
    name: t(`requests.${id}`),
    hint: t(`requests.${id}Hint`),
    numeric: true,
    sortable: true,
    value: (day) => day[id],
    cell: (day) => format.number(day[id]),
  });
  const columns: readonly Column<DeliveredDay>[] = [
    {
      id: 'day',
      name: t('requests.day'),
      sortable: true,
      minWidth: 130,
      value: ({ day }) => day,
      cell: ({ day }) => format.date(`${day}T00:00:00Z`, { timeZone: 'UTC' }),
    },
    count('pages'),
    count('measured'),
    count('programs'),
    count('notFound'),
    count('errors'),
    {
      id: 'bytes',
      name: t('requests.bytes'),
      numeric: true,
      sortable: true,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => bytesText(bytes, format),
    },
    {
      id: 'median',
      name: t('requests.median'),
      hint: t('requests.medianHint'),
      numeric: true,
      sortable: true,
      value: ({ medianMs }) => medianMs,
      cell: ({ medianMs }) => (medianMs === null ? '–' : t('requests.ms', { value: format.number(medianMs) })),
    },
  ];
  return <DataTable label={t('requests.title')} columns={columns} rows={days} rowKey={({ day }) => day} dense />;
}

/** Requests to the delivered pages of a site by day, beside the page views that the tag reported. */
export function RequestsSection({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const [{ days }, change] = useSearchState(address);
  const result = useDeliveredDaysQuery({ siteId, days: Number(days) }, { refetchOnMountOrArgChange: true });
  return (
    <Section
      title={t('requests.title')}
      note={t('requests.note')}
      actions={
        <FilterSelect
          label={t('requests.period')}
          value={days}
          choices={periods.map((value) => ({ value, label: t('requests.last', { days: value }) }))}
          onChoose={(next) => change({ days: periods.find((one) => one === next) ?? days }, 'push')}
        />
      }
    >
      <ResultState result={result} skeleton={<RowsSkeleton rows={7} />}>
        {(rows) =>
          rows.some(hasRequests) ? (
            <Days days={rows} />
          ) : (
            <EmptyState ghost="rows" title={t('requests.none')}>
              {t('requests.noneText')}
            </EmptyState>
          )
        }
      </ResultState>
    </Section>
  );
}
