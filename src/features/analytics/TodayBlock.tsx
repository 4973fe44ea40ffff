import type { MeasureId, Report, Values } from '@contract/analytics/schemas';
import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { addDays } from '@/lib/days';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import { type BlockProps, sampleOf } from './blocks';
import { isMeasure, measureInfo } from './measures';
import { reportQuery } from './urlState';
import { useExplain } from './useExplain';
import { useLabels, type Labels } from './useLabels';

type DayRow = { readonly id: 'today' | 'yesterdaySoFar' | 'yesterday'; readonly values: Values | null; readonly before: Values | null };

const columnsOf = (labels: Labels, measures: readonly MeasureId[], report: Report): Column<DayRow>[] => {
  const { t } = labels;
  return [
    {
      id: 'day',
      name: t('overview.day'),
      cell: (row) => (
        <Box component="span" sx={{ fontWeight: row.id === 'today' ? 600 : 400 }}>
          {t(`overview.${row.id}`)}
        </Box>
      ),
    },
    ...measures.map((id): Column<DayRow> => ({
      id,
      name: labels.measure(id),
      hint: t(`measure.${id}.text`),
      numeric: true,
      figure: true,
      cell: (row) =>
        row.id !== 'today' ? (
          labels.value(id, row.values?.[id] ?? null)
        ) : (
          <>
            {row.before !== null && (
              <Box component="span" sx={{ fontSize: 12, mr: 1 }}>
                <Delta now={row.values?.[id] ?? null} before={row.before[id]} better={measureInfo(id).better} sample={sampleOf(report)} />
              </Box>
            )}
            <Box component="span" sx={{ fontWeight: 600 }}>
              {labels.value(id, row.values?.[id] ?? null)}
            </Box>
          </>
        ),
    })),
  ];
};

/** Today, yesterday up to this time, and all of yesterday: independent of the range, under the same filters. */
export const TodayBlock = ({ site, state, today, measures }: BlockProps & { readonly measures: readonly MeasureId[] }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const { filter, who, segment } = reportQuery(state);
  const query = { siteId: site.id, filter, who, ...(segment === undefined ? {} : { segment }) };
  const yesterday = addDays(today, -1);
  const answer = useReportQuery({ ...query, from: today, to: today, compare: 'custom', compareFrom: yesterday, compareTo: yesterday });
  const { ask, answer: explained } = useExplain(site.id, state);
  const whole = useReportQuery({ ...query, from: yesterday, to: yesterday, compare: 'none' });
  return (
    <Box sx={{ mb: 4 }}>
      <Section title={t('overview.compareDay')}>
        <BlockState name={t('overview.compareDay')} answer={answer} skeleton={<RowsSkeleton rows={3} />}>
          {(report) => {
            const rows: readonly DayRow[] = [
              { id: 'today', values: report.totals, before: report.compareTotals },
              { id: 'yesterdaySoFar', values: report.compareTotals, before: null },
              { id: 'yesterday', values: whole.currentData?.totals ?? null, before: null },
            ];
            const columns = columnsOf(labels, measures, report);
            return (
              <>
                <DataTable
                  label={t('overview.compareDay')}
                  columns={columns}
                  rows={rows}
                  rowKey={(row) => row.id}
                  onFigure={({ row, column, anchor }) => {
                    if (row === null || !isMeasure(column)) return;
                    ask({
                      anchor,
                      measure: column,
                      value: row.values?.[column] ?? null,
                      before: row.before?.[column],
                      of: t(`overview.${row.id}`),
                      range: row.id === 'today' ? today : yesterday,
                    });
                  }}
                  figureHint={t('explain.hint')}
                />
                {explained(report)}
              </>
            );
          }}
        </BlockState>
      </Section>
    </Box>
  );
};
