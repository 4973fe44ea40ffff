import type { Retention } from '@contract/insights/reports';
import { Alert, Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { type Day, dayCount } from '@/lib/days';
import { type Format, useFormat } from '@/lib/format';
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

type Cohort = Retention['cohorts'][number];
type Returned = { readonly count: number; readonly all: number };

const rateOf = ({ count, all }: Returned): number => (all === 0 ? 0 : count / all);

const returnedOf = ({ visitors, returned }: Cohort, n: number): Returned | null => {
  const count = returned[n] ?? null;
  return count === null || visitors === 0 ? null : { count, all: visitors };
};

/** All cohorts for which the later period has ended, together; null if it has ended for none. */
const overall = (cohorts: readonly Cohort[], n: number): Returned | null => {
  const ended = cohorts.filter(({ closed }) => n < closed).flatMap((cohort) => returnedOf(cohort, n) ?? []);
  return ended.length === 0 ? null : { count: ended.reduce((sum, one) => sum + one.count, 0), all: ended.reduce((sum, one) => sum + one.all, 0) };
};

const cohortName = (format: Format, unit: Unit, { from, to }: Cohort, today: Day): string =>
  unit === 'month' ? format.month(from) : unit === 'week' ? format.days({ from, to }, today) : format.day(from, today);

/** Rates below this do not get the strongest colour, even if no other rate is higher. */
const leastTop = 0.1;

const RateCell = ({ value, top, open = false }: { readonly value: Returned | null; readonly top: number; readonly open?: boolean }): ReactElement => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const strength = value === null ? 0 : Math.round(Math.sqrt(rateOf(value) / top) * 50);
  return (
    <Box
      component="td"
      title={value === null ? undefined : t('retention.cell', { count: value.count, all: format.number(value.all) })}
      sx={{
        ...cell,
        minWidth: 56,
        borderRadius: 0.5,
        fontStyle: open ? 'italic' : 'normal',
        bgcolor: value === null ? 'transparent' : `color-mix(in srgb, var(--chart-accent) ${strength}%, transparent)`,
      }}
    >
      {value === null ? '' : format.percent(rateOf(value))}
    </Box>
  );
};

/** All cohorts together, then a row for each; a darker colour means more returning visitors. An unfinished period is in italics. */
const Matrix = ({ report, unit, today }: { readonly report: Retention; readonly unit: Unit; readonly today: Day }): ReactElement => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const { cohorts } = report;
  const periods = Math.max(1, ...cohorts.map(({ returned }) => returned.filter((one) => one !== null).length));
  const later = Array.from({ length: periods }, (_, n) => n);
  const rates = cohorts.flatMap((cohort) => later.map((n) => returnedOf(cohort, n)).map((one) => (one === null ? 0 : rateOf(one))));
  const top = Math.max(leastTop, ...rates);
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
          <Box component="tr" sx={{ '& > *': { fontWeight: 600 } }}>
            <Box component="th" scope="row" sx={{ ...held, fontWeight: 600 }}>
              {t('retention.overall')}
            </Box>
            <Box component="td" sx={cell}>
              {format.number(cohorts.reduce((sum, { visitors }) => sum + visitors, 0))}
            </Box>
            {later.map((n) => (
              <RateCell key={n} value={overall(cohorts, n)} top={top} />
            ))}
          </Box>
          {cohorts.map((cohort) => (
            <tr key={cohort.from}>
              <Box component="th" scope="row" sx={held}>
                {cohortName(format, unit, cohort, today)}
              </Box>
              <Box component="td" sx={cell}>
                {format.number(cohort.visitors)}
              </Box>
              {later.map((n) => (
                <RateCell key={n} value={returnedOf(cohort, n)} top={top} open={n >= cohort.closed} />
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
        {t('retention.open')}
      </Typography>
    </Box>
  );
};

const Content = ({ site, state, change, today }: InsightProps): ReactElement => {
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
            <Matrix report={report} unit={unit} today={today} />
          )
        }
      </BlockState>
    </Section>
  );
};

/** How many of the first-time visitors of a day, week or month returned. */
export const Component = (): ReactElement => <InsightFrame title="retention">{(props) => <Content {...props} />}</InsightFrame>;
