import type { Explain } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { rangeText } from '@/ui/DateRangeField';
import { EmptyState } from '@/ui/EmptyState';
import { useInstallQuery, useLatestQuery } from './analyticsApi';
import { filterText } from './filters';
import { presetRange } from './range';
import type { Screen } from './sections';
import { carried, type ReportState, writeState } from './urlState';
import type { Change } from './useReportState';
import { useLabels } from './useLabels';

/** Why a report is empty, and the next step: install the tracker, loosen the filters, or change the range. */
export const EmptyReport = ({
  site,
  state,
  change,
  today,
  excluded,
  kind,
  live = false,
}: {
  site: Site;
  state: ReportState;
  change: Change;
  today: string;
  /** Excluded visits, if known. */ excluded?: Explain['excluded'] | undefined;
  /** The screen shows one kind of visit only: the kind that is missing. */ kind?: Screen['empty'];
  /** On the live list, which has no range of days. */ live?: boolean;
}): ReactElement | null => {
  const { t } = useLabels();
  const { data: install, isLoading } = useInstallQuery({ siteId: site.id });
  const people = state.who === 'humans';
  // The live list has no range: one visit by anybody is enough to know.
  const { currentData: anybody, isFetching } = useLatestQuery(
    { siteId: site.id, filter: state.filters.map(filterText), who: 'all', size: 1 },
    { skip: !live || !people, pollingInterval: 30_000, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  if (isLoading || (isFetching && anybody === undefined)) return null;
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
  const bots = excluded?.bots ?? 0;
  const suspected = excluded?.suspected ?? 0;
  const count = bots + suspected;
  if (people && (count > 0 || (anybody?.rows.length ?? 0) > 0)) {
    const messageKey = count === 0 ? 'excludedLive' : suspected === 0 ? 'excludedBots' : bots === 0 ? 'excludedSuspected' : 'excludedBoth';
    return (
      <EmptyState
        title={t('empty.excludedTitle')}
        action={
          <Button variant="outlined" onClick={() => change({ who: 'all' })}>
            {t('empty.showAll')}
          </Button>
        }
      >
        {t(`empty.${messageKey}`, { count })}
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
  if (kind !== undefined) {
    return (
      <EmptyState
        title={t(`empty.kind.${kind}`)}
        action={
          <>
            {state.preset !== 'last90' && (
              <Button variant="outlined" onClick={() => change({ preset: 'last90', range: presetRange('last90', today), gran: null })}>
                {t('empty.longRange')}
              </Button>
            )}
            <Button
              component={Link}
              to={{ pathname: href('site.als.source', { siteId: site.id }), search: writeState(carried(state), new URLSearchParams()).toString() }}
            >
              {t('empty.allSources')}
            </Button>
          </>
        }
      >
        {t(`empty.why.${kind}`)}
      </EmptyState>
    );
  }
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
