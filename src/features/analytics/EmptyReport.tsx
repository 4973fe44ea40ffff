import type { Site } from '@contract/sites';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { rangeText } from '@/ui/DateRangeField';
import { EmptyState } from '@/ui/EmptyState';
import { useInstallQuery } from './analyticsApi';
import { presetRange } from './range';
import type { ReportState } from './urlState';
import type { Change } from './useReportState';
import { useWords } from './useWords';

/** Why a report has nothing to show, and the one thing to do next: install, loosen the filters, or look at another range. */
export const EmptyReport = ({
  site,
  state,
  change,
  today,
  live = false,
}: {
  site: Site;
  state: ReportState;
  change: Change;
  today: string;
  /** On the live list, which has no range. */ live?: boolean;
}): ReactElement | null => {
  const { t } = useWords();
  const { data: install, isLoading } = useInstallQuery(site.id);
  if (isLoading) return null;
  if (install?.firstHitAt === null) {
    return (
      <EmptyState
        title={t('empty.noneTitle')}
        action={
          <Button variant="contained" component={Link} to={href('site.dashboard', { siteId: site.id })}>
            {t('empty.install')}
          </Button>
        }
      >
        {t('empty.noneText')}
      </EmptyState>
    );
  }
  if (state.filters.length > 0 || state.who === 'suspected' || state.who === 'bots') {
    return (
      <EmptyState
        kind="noMatch"
        title={t('empty.filterTitle')}
        action={
          <Button variant="outlined" onClick={() => change({ filters: [], who: 'humans' })}>
            {t('filter.clear')}
          </Button>
        }
      >
        {state.filters.length > 0 ? t('empty.filterText', { count: state.filters.length }) : t('empty.whoText', { who: t(`who.${state.who}`) })}
      </EmptyState>
    );
  }
  if (live) return <EmptyState title={t('latest.emptyTitle')}>{t('latest.emptyText')}</EmptyState>;
  return (
    <EmptyState
      title={t('empty.rangeTitle', { range: rangeText(state.range, today, t('range.to')) })}
      action={
        <Button variant="outlined" onClick={() => change({ preset: 'last30', range: presetRange('last30', today), gran: null })}>
          {t('empty.otherRange')}
        </Button>
      }
    >
      {t('empty.rangeText')}
    </EmptyState>
  );
};
