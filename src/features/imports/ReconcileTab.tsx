import type { Reconciliation, ReconciliationDimension } from '@contract/imports/schemas';
import { Box, MenuItem, TextField, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { addDays, isDay } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';
import { isFailure } from '@/lib/failure';
import { DateInput } from '@/ui/date/DateInput';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { useReconciliationQuery } from './importsApi';

const dimensions = ['day', 'browser', 'country', 'path'] as const satisfies readonly ReconciliationDimension[];

type DatesProps = { readonly from: string; readonly to: string; readonly today: string; readonly onChange: (name: 'from' | 'to', day: string) => void };

function Dates({ from, to, today, onChange }: DatesProps): ReactElement {
  const { t } = useTranslation('imports');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mb: 3 }} role="group" aria-label={t('reconcile.range')}>
      <DateInput small value={from} max={to} aria-label={`${t('reconcile.range')} 1`} onCommit={(day) => onChange('from', day)} />
      <span aria-hidden>–</span>
      <DateInput small value={to} min={from} max={today} aria-label={`${t('reconcile.range')} 2`} onCommit={(day) => onChange('to', day)} />
    </Box>
  );
}

function Totals({ reconciliation: data, busy }: { readonly reconciliation: Reconciliation; readonly busy: boolean }): ReactElement {
  const { t } = useTranslation('imports');
  const format = useFormat();
  return (
    <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 5, rowGap: 2, m: 0, mb: 1 }} aria-busy={busy}>
      {(
        [
          [t('reconcile.hidden'), data.hidden === null ? '—' : format.percent(data.hidden)],
          [t('reconcile.both'), format.number(data.totals.both)],
          [t('reconcile.logOnly'), format.number(data.totals.logOnly)],
          [t('reconcile.scriptOnly'), format.number(data.totals.scriptOnly)],
        ] as const
      ).map(([name, value]) => (
        <Box key={name}>
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
            {name}
          </Typography>
          <Typography component="dd" variant="h1" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

type Row = Reconciliation['by'][ReconciliationDimension][number];
const hiddenShare = ({ both, logOnly }: Row): number | null => (both + logOnly === 0 ? null : logOnly / (both + logOnly));

/** Page views by one dimension, and which of the two sources recorded them. */
function ByDimension({ by, rows }: { readonly by: ReconciliationDimension; readonly rows: readonly Row[] }): ReactElement {
  const { t, i18n } = useTranslation('imports');
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  const format = useFormat();
  const places = usePlaces();
  const keyLabel = (key: string): string =>
    key === ''
      ? t('reconcile.unknown')
      : by === 'country'
        ? (places?.countryName(key, locale) ?? key)
        : by === 'browser'
          ? (places?.productName(key, locale) ?? key)
          : key;
  const percent = (share: number | null): string => (share === null ? '—' : format.percent(share));
  return (
    <DataTable
      label={t(`reconcile.dimension.${by}`)}
      columns={[
        { id: 'key', name: t(`reconcile.dimension.${by}`), cell: (row) => keyLabel(row.key), fills: true },
        {
          id: 'hidden',
          name: t('reconcile.hidden'),
          numeric: true,
          cell: (row) => percent(hiddenShare(row)),
          value: hiddenShare,
        },
        { id: 'both', name: t('reconcile.both'), numeric: true, cell: (row) => format.number(row.both), value: (row) => row.both },
        { id: 'logOnly', name: t('reconcile.logOnly'), numeric: true, cell: (row) => format.number(row.logOnly), value: (row) => row.logOnly },
        {
          id: 'scriptOnly',
          name: t('reconcile.scriptOnly'),
          numeric: true,
          cell: (row) => format.number(row.scriptOnly),
          value: (row) => row.scriptOnly,
        },
      ]}
      rows={rows}
      rowKey={(row) => row.key}
    />
  );
}

/** How many page views never ran the script: figure, tables, and method. Dates and dimension are in the address. */
export function ReconcileTab({ siteId, today }: { readonly siteId: string; readonly today: string }): ReactElement {
  const { t } = useTranslation('imports');
  const [params, setParams] = useSearchParams();
  const [fromParam, toParam] = [params.get('from'), params.get('to')];
  const to = toParam !== null && isDay(toParam) ? toParam : today;
  const from = fromParam !== null && isDay(fromParam) && fromParam <= to ? fromParam : addDays(to, -29);
  const by: ReconciliationDimension = dimensions.find((one) => one === params.get('by')) ?? 'day';
  const { data, error, isFetching, refetch } = useReconciliationQuery({ siteId, from, to });
  const set = (name: string, value: string): void =>
    setParams(
      (before) => {
        before.set(name, value);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <>
      <Typography variant="body2" sx={{ mb: 2, maxWidth: '70ch' }}>
        {t('reconcile.lead')}
      </Typography>
      <Dates from={from} to={to} today={today} onChange={set} />
      {isFailure(error) ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : data === undefined ? (
        <Bone h={240} />
      ) : data.from === null || data.to === null ? (
        <EmptyState title={t('reconcile.none')}>{t('reconcile.noneText')}</EmptyState>
      ) : (
        <>
          <Totals reconciliation={data} busy={isFetching} />
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3 }}>
            {t('reconcile.covered', { from: data.from, to: data.to, zone: data.timeZone })}
          </Typography>
          <Section
            title={t(`reconcile.dimension.${by}`)}
            dim={isFetching}
            actions={
              <TextField select size="small" label={t('reconcile.by')} value={by} onChange={(event) => set('by', event.target.value)} sx={{ minWidth: 130 }}>
                {dimensions.map((one) => (
                  <MenuItem key={one} value={one}>
                    {t(`reconcile.dimension.${one}`)}
                  </MenuItem>
                ))}
              </TextField>
            }
          >
            <ByDimension key={by} rows={data.by[by]} by={by} />
          </Section>
          <Section title={t('reconcile.explain')}>
            <Typography variant="body2" sx={{ maxWidth: '70ch' }}>
              {t('reconcile.rule', { seconds: data.tolerance })}
            </Typography>
            <Typography variant="body2" sx={{ maxWidth: '70ch', mt: 1 }}>
              {t('reconcile.estimate')}
            </Typography>
          </Section>
        </>
      )}
    </>
  );
}
