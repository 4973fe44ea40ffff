import type { ImportedDimension } from '@contract/imports/schemas';
import { MenuItem, TextField } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';
import { isFailure } from '@/lib/failure';
import { Chart } from '@/ui/chart/Chart';
import { DataTable } from '@/ui/DataTable';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { useImportedHistoryQuery } from './importsApi';

const dimensions = ['page', 'entryPage', 'exitPage', 'source', 'country', 'device', 'browser', 'os', 'event'] as const satisfies readonly ImportedDimension[];

/** Days counted by Plausible, shown separately: a line of their own and tables by one dimension. */
export function HistoryPart({ siteId, id }: { readonly siteId: string; readonly id: string }): ReactElement {
  const { t, i18n } = useTranslation('imports');
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  const places = usePlaces();
  const format = useFormat();
  const [by, setBy] = useState<ImportedDimension>('page');
  const { data, error, isFetching, refetch } = useImportedHistoryQuery({ siteId, id, by });
  /** A localized name; Plausible exports devices as English words. */
  const nameOf = (key: string): string => {
    if (key === '') return t('history.unknown');
    if (by === 'country') return places?.countryName(key, locale) ?? key;
    if (by === 'device') return t(`history.device.${key as 'Desktop'}`, { defaultValue: key });
    if (by === 'browser' || by === 'os') return places?.productName(key, locale) ?? key;
    return key;
  };
  if (isFailure(error)) return <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (data === undefined) return <Bone h={200} />;
  return (
    <Section
      title={t('history.title')}
      note={t('history.note')}
      dim={isFetching}
      actions={
        <TextField select label={t('history.by')} value={by} onChange={(event) => setBy(event.target.value as ImportedDimension)} sx={{ minWidth: 140 }}>
          {dimensions.map((one) => (
            <MenuItem key={one} value={one}>
              {t(`history.dimension.${one}`)}
            </MenuItem>
          ))}
        </TextField>
      }
    >
      <HistoryChart label={t('history.chart')} days={data.days} visitors={t('history.visitors')} />
      <DataTable
        label={t(`history.dimension.${by}`)}
        columns={[
          { id: 'key', name: t(`history.dimension.${by}`), cell: (row) => nameOf(row.key), fills: true },
          { id: 'visitors', name: t('history.visitors'), numeric: true, cell: (row) => format.number(row.visitors), value: (row) => row.visitors },
          { id: 'visits', name: t('history.visits'), numeric: true, cell: (row) => format.number(row.visits), value: (row) => row.visits },
          { id: 'views', name: t('history.views'), numeric: true, cell: (row) => format.number(row.views), value: (row) => row.views },
        ]}
        rows={data.rows}
        rowKey={(row) => row.key}
      />
    </Section>
  );
}

function HistoryChart({
  label,
  days,
  visitors,
}: {
  readonly label: string;
  readonly days: readonly { day: string; visitors: number }[];
  readonly visitors: string;
}): ReactElement | null {
  const format = useFormat();
  if (days.length < 2) return null;
  return (
    <Chart
      label={label}
      points={days.map(({ day }) => ({ name: format.day(day), tick: format.monthDay(day), open: false }))}
      lines={[
        {
          id: 'visitors',
          name: visitors,
          values: days.map((one) => one.visitors),
          unit: 'count',
          write: (value) => (value === null ? '—' : format.number(value)),
          writeTick: format.compact,
        },
      ]}
    />
  );
}
