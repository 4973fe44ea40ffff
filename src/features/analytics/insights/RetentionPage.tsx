import type { Retention } from '@contract/insights/reports';
import { Alert, Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { dayCount } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { EmptyState } from '@/ui/EmptyState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { BlockState } from '../BlockState';
import { scopeOf } from '../blocksApi';
import { QuietSelect } from '../QuietSelect';
import { InsightFrame, type InsightProps } from './InsightFrame';
import { useRetentionQuery } from './insightsApi';

const units = ['week', 'day', 'month'] as const;
type Unit = (typeof units)[number];

const cell = { px: 1, py: 0.5, fontSize: 'var(--text-table)', whiteSpace: 'nowrap', textAlign: 'end', fontVariantNumeric: 'tabular-nums' } as const;
const held = { ...cell, position: 'sticky', insetInlineStart: 0, zIndex: 1, bgcolor: 'background.default', textAlign: 'start', fontWeight: 400 } as const;

/** One row per cohort; a darker colour means more returning visitors. An unfinished period is in italics. */
const Matrix = ({ report, unit }: { readonly report: Retention; readonly unit: Unit }): ReactElement => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const periods = Math.max(1, ...report.cohorts.map(({ returned }) => returned.filter((one) => one !== null).length));
  const later = Array.from({ length: periods }, (_, n) => n);
  return (
    <Box role="group" aria-label={t('retention.table')} tabIndex={0} sx={{ overflowX: 'auto' }}>
      <Box component="table" aria-label={t('retention.table')} sx={{ borderCollapse: 'separate', borderSpacing: 2 }}>
        <thead>
          <tr>
            <Box component="th" scope="col" sx={{ ...held, color: 'text.secondary' }}>
              {t(`retention.cohort.${unit}`)}
            </Box>
            <Box component="th" scope="col" sx={{ ...cell, fontWeight: 400, color: 'text.secondary' }}>
              {t('retention.visitors')}
            </Box>
            {later.map((n) => (
              <Box component="th" scope="col" key={n} sx={{ ...cell, fontWeight: 400, color: 'text.secondary' }}>
                {t(`retention.after.${unit}`, { n: n + 1 })}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.cohorts.map((cohort) => (
            <tr key={cohort.from}>
              <Box component="th" scope="row" sx={held}>
                {unit === 'month' ? cohort.from.slice(0, 7) : cohort.from}
              </Box>
              <Box component="td" sx={cell}>
                {format.number(cohort.visitors)}
              </Box>
              {later.map((n) => {
                const count = cohort.returned[n] ?? null;
                const rate = count === null || cohort.visitors === 0 ? null : count / cohort.visitors;
                return (
                  <Box
                    component="td"
                    key={n}
                    title={count === null ? undefined : t('retention.cell', { count, all: format.number(cohort.visitors) })}
                    sx={{
                      ...cell,
                      minWidth: 56,
                      borderRadius: 0.5,
                      fontStyle: n >= cohort.closed ? 'italic' : 'normal',
                      bgcolor: rate === null ? 'transparent' : `color-mix(in srgb, var(--chart-accent) ${Math.round(Math.sqrt(rate) * 50)}%, transparent)`,
                    }}
                  >
                    {rate === null ? '' : format.percent(rate)}
                  </Box>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
};

const Content = ({ site, state, change }: InsightProps): ReactElement => {
  const { t } = useTranslation('insights');
  const usual = dayCount(state.range) <= 31 ? 'day' : 'week';
  const unit = units.find((one) => one === state.view) ?? usual;
  const result = useRetentionQuery({ siteId: site.id, ...scopeOf(state), unit });
  return (
    <Section
      title={t('retention.table')}
      note={t('retention.note')}
      actions={
        <QuietSelect
          label={t('retention.unit')}
          value={unit}
          options={units.map((id) => ({ id, name: t(`retention.by.${id}`) }))}
          onChange={(id) => change({ view: id === usual ? null : id })}
        />
      }
    >
      <BlockState name={t('retention.table')} result={result} skeleton={<RowsSkeleton rows={6} />}>
        {(report) =>
          !report.known ? (
            <Alert severity="info" variant="outlined">
              {t('retention.unknown')}
            </Alert>
          ) : report.cohorts.every(({ visitors }) => visitors === 0) ? (
            <EmptyState title={t('retention.emptyTitle')}>{t('retention.emptyText')}</EmptyState>
          ) : (
            <Matrix report={report} unit={unit} />
          )
        }
      </BlockState>
    </Section>
  );
};

/** How many of the first-time visitors of a day, week or month returned. */
export const Component = (): ReactElement => <InsightFrame title="retention">{(props) => <Content {...props} />}</InsightFrame>;
