import type { Explain } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { href } from '@/routes/paths';
import { EmptyState } from '@/ui/EmptyState';
import { useInstallQuery, useLatestQuery } from './analyticsApi';
import { filterText } from './filters';
import { presetRange } from './range';
import type { Screen } from './sections';
import { carried, type ReportState, writeState } from './urlState';
import type { Change } from './useReportState';
import { useLabels } from './useLabels';

type EmptyProps = {
  readonly site: Site;
  readonly state: ReportState;
  readonly change: Change;
  readonly today: string;
  /** Excluded visits, if known. */ readonly excluded?: Explain['excluded'] | undefined;
  /** The screen shows one kind of visit only: the kind that is missing. */ readonly kind?: Screen['empty'];
  /** On the live list, which has no range of days. */ readonly live?: boolean;
};

/** Why a report is empty, and the next step: install the tracker, loosen the filters, or change the range. */
export const EmptyReport = ({ excluded, kind, live = false, ...props }: EmptyProps): ReactElement | null => {
  const { site, state } = props;
  const { t } = useLabels();
  const { data: install, isLoading } = useInstallQuery({ siteId: site.id });
  const people = state.who === 'humans';
  // The live list has no range: one visit by anybody is enough to know.
  const { currentData: anybody, isFetching } = useLatestQuery(
    { siteId: site.id, filter: state.filters.map(filterText), who: 'all', size: 1 },
    { skip: !live || !people, pollingInterval: 30_000, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  if (isLoading || (isFetching && anybody === undefined)) return null;
  if (install?.firstHitAt === null) return <NeverMeasured site={site} />;
  const bots = excluded?.bots ?? 0;
  const suspected = excluded?.suspected ?? 0;
  if (people && (bots + suspected > 0 || (anybody?.rows.length ?? 0) > 0)) return <OnlyBots bots={bots} suspected={suspected} {...props} />;
  if (state.filters.length > 0 || state.who === 'suspected' || state.who === 'bots') return <NoMatch {...props} />;
  if (live)
    return (
      <EmptyState ghost="rows" title={t('latest.emptyTitle')}>
        {t('latest.emptyText')}
      </EmptyState>
    );
  return kind === undefined ? <EmptyRange {...props} /> : <EmptyKind kind={kind} {...props} />;
};

type CaseProps = Pick<EmptyProps, 'site' | 'state' | 'change' | 'today'>;

/** The site has not been visited since it was created. */
const NeverMeasured = ({ site }: Pick<CaseProps, 'site'>): ReactElement => {
  const { t } = useLabels();
  return (
    <EmptyState
      ghost="chart"
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
};

/** There were visits, but all are excluded as visits of bots; without numbers on the live list. */
const OnlyBots = ({ bots, suspected, change }: CaseProps & { readonly bots: number; readonly suspected: number }): ReactElement => {
  const { t } = useLabels();
  const count = bots + suspected;
  const messageKey = count === 0 ? 'excludedLive' : suspected === 0 ? 'excludedBots' : bots === 0 ? 'excludedSuspected' : 'excludedBoth';
  return (
    <EmptyState
      ghost="chart"
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
};

const NoMatch = ({ state, change }: CaseProps): ReactElement => {
  const { t } = useLabels();
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
};

const EmptyKind = ({ site, state, change, today, kind }: CaseProps & { readonly kind: NonNullable<EmptyProps['kind']> }): ReactElement => {
  const { t } = useLabels();
  return (
    <EmptyState
      ghost="rows"
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
};

const EmptyRange = ({ state, change, today }: CaseProps): ReactElement => {
  const { t, format } = useLabels();
  return (
    <EmptyState
      ghost="chart"
      title={t('empty.rangeTitle', { range: format.days(state.range, today) })}
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
