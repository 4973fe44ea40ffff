import type { MeasureId } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { addDays } from '@/lib/days';
import { useReportQuery } from './analyticsApi';
import type { BlockProps } from './blocks';
import { reportQuery } from './urlState';
import { useLabels } from './useLabels';

const List = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'auto auto',
  gap: '2px 12px',
  margin: 0,
  fontVariantNumeric: 'tabular-nums',
  '& dd': { margin: 0, textAlign: 'right', fontWeight: 600 },
});

/** One figure today, yesterday at the same time, and yesterday as a whole: independent of the range, under the same filters. Queried when it opens. */
export const TodayTip = ({ site, state, today, measure }: Pick<BlockProps, 'site' | 'state' | 'today'> & { readonly measure: MeasureId }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const { filter, who, segment } = reportQuery(state);
  const query = { siteId: site.id, filter, who, ...(segment === undefined ? {} : { segment }) };
  const yesterday = addDays(today, -1);
  const { currentData: day, isError: noDay } = useReportQuery({
    ...query,
    from: today,
    to: today,
    compare: 'custom',
    compareFrom: yesterday,
    compareTo: yesterday,
  });
  const { currentData: whole, isError: noYesterday } = useReportQuery({ ...query, from: yesterday, to: yesterday, compare: 'none' });
  const written = (value: number | null | undefined, failed: boolean): string => (value === undefined && !failed ? '…' : labels.value(measure, value ?? null));
  return (
    <List>
      <dt>{t('overview.today')}</dt>
      <dd>{written(day?.totals[measure], noDay)}</dd>
      <dt>{t('overview.yesterdaySoFar')}</dt>
      <dd>{written(day?.compareTotals?.[measure], noDay)}</dd>
      <dt>{t('overview.yesterday')}</dt>
      <dd>{written(whole?.totals[measure], noYesterday)}</dd>
    </List>
  );
};
