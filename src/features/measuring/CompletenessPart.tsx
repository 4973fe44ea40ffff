import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalCodes } from '@contract/collect/schemas';
import type { CollectorState, CompletenessDay } from '@contract/measuring/schemas';
import { useFormat } from '@/lib/format';
import type { Format } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Chart } from '@/ui/chart/Chart';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { useCompletenessQuery } from './measuringApi';

const days = 30;
const mebibyte = 1024 * 1024;

const refusedOf = (day: CompletenessDay): number => Object.values(day.refused).reduce((sum, count) => sum + count, 0);
const happened = (day: CompletenessDay): boolean => day.sent + day.received + day.aside + refusedOf(day) > 0;
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** What became of each day's hits, and whether the collector accepts hits. */
export function CompletenessPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('measuring');
  const result = useCompletenessQuery({ siteId, days }, { pollingInterval: 15_000, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true });
  return (
    <ResultState
      result={result}
      skeleton={<RowsSkeleton rows={8} />}
      failed={(error, retry) => isFailure(error) && <ErrorPanel failure={error} onRetry={retry} />}
    >
      {(completeness) => (
        <>
          <Section title={t('collector.title')} note={t('collector.note')}>
            {completeness.collectors.length === 0 ? (
              <Typography variant="body2">{t('collector.none')}</Typography>
            ) : (
              completeness.collectors.map((one) => <Collector key={one.process + one.journalMaxBytes} state={one} />)
            )}
          </Section>
          <Section title={t('completeness.title')} note={t('completeness.note')}>
            {completeness.days.some(happened) ? (
              <Account days={completeness.days} />
            ) : (
              <EmptyState title={t('completeness.empty')}>{t('completeness.emptyWhy')}</EmptyState>
            )}
          </Section>
        </>
      )}
    </ResultState>
  );
}

const size = (bytes: number, format: Format): string =>
  bytes >= 1024 * mebibyte ? `${format.decimal(bytes / mebibyte / 1024, 1)} GB` : `${format.decimal(bytes / mebibyte, 1)} MB`;

function Collector({ state }: { readonly state: CollectorState }): ReactElement {
  const { t } = useTranslation('measuring');
  const format = useFormat();
  const gone = !state.alive;
  const stuck = state.stuckSince !== null;
  const tone = gone || stuck ? 'warning.main' : 'success.main';
  return (
    <Box sx={{ py: 1, borderBottom: 1, borderColor: 'divider', fontSize: 'var(--text-table)' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'baseline' }}>
        <Box component="strong" sx={{ fontWeight: 500 }}>
          {state.process}
        </Box>
        <Box role="status" sx={{ color: tone }}>
          {gone
            ? t('collector.gone', { at: format.relative(state.seenAt) })
            : stuck
              ? t('collector.stuck', { at: format.relative(state.stuckSince ?? '') })
              : t('collector.well')}
        </Box>
      </Box>
      <Box sx={{ color: 'text.secondary' }}>
        {t('collector.journal', {
          used: size(state.journalBytes, format),
          most: size(state.journalMaxBytes, format),
          share: format.percent(state.journalBytes / state.journalMaxBytes),
        })}
        {state.oldestWaiting !== null && stuck && ` · ${t('collector.oldest', { at: format.relative(state.oldestWaiting) })}`}
      </Box>
    </Box>
  );
}

function Account({ days: newestFirst }: { readonly days: readonly CompletenessDay[] }): ReactElement {
  const { t } = useTranslation('measuring');
  const format = useFormat();
  const oldestFirst = [...newestFirst].reverse();
  const ratio = (value: number | null): string => (value === null ? '–' : format.percent(value));
  const reasons = (day: CompletenessDay): string =>
    refusalCodes.flatMap((code) => (day.refused[code] === undefined ? [] : [`${t(`refusal.${code}`)} ${format.number(day.refused[code])}`])).join(' · ');
  const number = (id: 'sent' | 'stored' | 'missing' | 'received' | 'repeated' | 'aside' | 'spam' | 'flood', extra = false): Column<CompletenessDay> => ({
    id,
    name: t(`completeness.${id}`),
    hint: t(`completeness.${id}Hint`),
    numeric: true,
    sortable: true,
    extra,
    value: (day) => day[id],
    cell: (day) => format.number(day[id]),
  });
  const columns: Column<CompletenessDay>[] = [
    {
      id: 'day',
      name: t('completeness.day'),
      sortable: true,
      value: (day) => day.day,
      cell: (day) => format.date(`${day.day}T00:00:00Z`, { timeZone: 'UTC' }),
      minWidth: 130,
    },
    number('sent'),
    number('stored'),
    { ...number('missing'), share: (day) => share(day.missing, day.sent) },
    { id: 'missingShare', name: t('completeness.missingShare'), numeric: true, cell: (day) => ratio(share(day.missing, day.sent)) },
    number('received'),
    number('repeated'),
    {
      id: 'refused',
      name: t('completeness.refused'),
      hint: t('completeness.refusedHint'),
      numeric: true,
      sortable: true,
      value: refusedOf,
      cell: (day) => <span title={reasons(day)}>{format.number(refusedOf(day))}</span>,
    },
    { id: 'reasons', name: t('completeness.reasons'), cell: (day) => reasons(day) || '–', fills: true, minWidth: 160 },
    number('spam'),
    number('flood'),
    number('aside'),
  ];
  const line = (id: 'missing' | 'refused', of: (day: CompletenessDay) => number | null) => ({
    id,
    name: t(id === 'missing' ? 'completeness.missingShare' : 'completeness.refusedShare'),
    values: oldestFirst.map(of),
    unit: 'ratio' as const,
    write: ratio,
    writeTick: format.percentTick,
  });
  return (
    <>
      <Chart
        label={t('completeness.chart')}
        height={180}
        points={oldestFirst.map(({ day }, at) => ({
          name: format.day(day),
          tick: format.monthDay(day),
          open: at === oldestFirst.length - 1,
        }))}
        lines={[line('missing', (day) => share(day.missing, day.sent)), line('refused', (day) => share(refusedOf(day), refusedOf(day) + day.received))]}
      />
      <Box sx={{ mt: 2 }}>
        <DataTable label={t('completeness.title')} columns={columns} rows={newestFirst.filter(happened)} rowKey={(day) => day.day} dense />
      </Box>
    </>
  );
}
