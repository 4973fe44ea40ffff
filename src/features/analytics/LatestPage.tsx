import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import { useDelayed } from '@/lib/useDelayed';
import { useLiveState } from '@/lib/useLive';
import { useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { useFormat } from '@/lib/format';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { LatestFilter } from './analyticsApi';
import { BlockFailure, BlockState } from './BlockState';
import { ControlRow } from './ControlRow';
import { ShareButton } from './ShareButton';
import { EmptyReport } from './EmptyReport';
import { filterText } from './filters';
import { OnlineNow } from './OnlineNow';
import { readBegan, type ReportState, withBegan } from './urlState';
import { useReportState } from './useReportState';
import { useScrolledPast, useVisits } from './useVisits';
import { VisitFiles, VisitTable } from './VisitTable';

const State = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 6, fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' });
const Dot = styled('span')({ width: 7, height: 7, borderRadius: '50%', background: 'var(--good)', '&[data-still]': { background: 'var(--n-5)' } });
/** The stream is reopened when a tab adds a topic: so short a gap shows no notice. Milliseconds. */
const gapMs = 1000;
const Arrived = styled('div')({
  position: 'sticky',
  top: 112,
  zIndex: 4,
  display: 'flex',
  justifyContent: 'center',
  height: 0,
  '& > *': { transform: 'translateY(4px)' },
});
const Began = styled('p')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8, margin: '8px 0', fontSize: 'var(--text-table)' });
const Foot = styled('div')({ display: 'grid', justifyItems: 'center', gap: 8, padding: '16px 0', color: 'var(--ink-2)', fontSize: 'var(--text-table)' });

/** The filter of the list; visits may be limited to those that began within a range, which is in the address. */
const useLatestFilter = (siteId: string, { filters, who, segment }: ReportState, began: string | null): LatestFilter =>
  useMemo(() => {
    const range = readBegan(new URLSearchParams({ began: began ?? '' }));
    return {
      siteId,
      filter: filters.map(filterText),
      who,
      segment: [...segment],
      ...(range === null ? {} : { from: range.from, to: range.to }),
    };
  }, [siteId, filters, who, segment, began]);

const Latest = ({ site }: { site: Site }): ReactElement => {
  const { t } = useTranslation(['analytics', 'nav']);
  const format = useFormat();
  const { state, change, today } = useReportState(site.timeZone);
  const [params, setParams] = useSearchParams();
  const mark = useRef<HTMLDivElement>(null);
  const paused = useScrolledPast(mark);
  const filter = useLatestFilter(site.id, state, params.get('began'));
  const range = readBegan(params);
  const visits = useVisits(filter, paused);
  const { result, online, list, waiting } = visits;
  return (
    <>
      <PageHeader title={t('nav:latest')} beside={<LiveState paused={paused} />} />
      <ControlRow site={site} today={today} state={state} change={change} ranged={false}>
        <ShareButton site={site} title={t('nav:latest')} screen="latest" state={state} />
      </ControlRow>
      <OnlineNow result={online} timeZone={site.timeZone} />
      {range !== null && (
        <Began>
          {t('latest.began', { range: format.days(range, today) })}
          <Button onClick={() => setParams((now) => withBegan(now, null), { replace: true })}>{t('latest.anyTime')}</Button>
        </Began>
      )}
      <div ref={mark} />
      {paused && waiting > 0 && (
        <Arrived>
          <Button variant="contained" onClick={() => mark.current?.scrollIntoView({ block: 'center' })}>
            {t('latest.waiting', { count: waiting })}
            {' · '}
            {t('latest.resume')}
          </Button>
        </Arrived>
      )}
      <Section title={t('latest.list')} actions={<VisitFiles rows={list.rows} site={site} today={today} columns={state.columns} />}>
        <BlockState name={t('latest.list')} result={result} skeleton={<RowsSkeleton rows={10} />}>
          {() =>
            list.rows.length === 0 ? (
              <EmptyReport site={site} state={state} change={change} today={today} live />
            ) : (
              <>
                <VisitTable
                  rows={list.rows}
                  fresh={list.fresh}
                  site={site}
                  today={today}
                  search={params.toString()}
                  columns={state.columns}
                  onColumns={(columns) => change({ columns }, 'replace')}
                />
                <OlderVisits visits={visits} />
              </>
            )
          }
        </BlockState>
      </Section>
      <PlaceCredit />
    </>
  );
};

/** Whether the list follows the stream: it pauses while the reader is further down. */
const LiveState = ({ paused }: { readonly paused: boolean }): ReactElement => {
  const { t } = useTranslation('analytics');
  const cut = useDelayed(useLiveState() !== 'open', gapMs);
  return (
    <State role="status">
      <Dot {...(cut || paused ? { 'data-still': '' } : {})} />
      {t(cut ? 'latest.reconnecting' : paused ? 'latest.paused' : 'latest.live')}
    </State>
  );
};

/** The end of the list, and a way to load older visits. */
const OlderVisits = ({ visits: { list, more, loadingMore, moreError } }: { readonly visits: ReturnType<typeof useVisits> }): ReactElement => {
  const { t } = useTranslation('analytics');
  return (
    <Foot>
      {moreError !== undefined && (
        <BlockFailure
          name={t('latest.more')}
          error={moreError}
          onRetry={() => {
            void more();
          }}
          retrying={loadingMore}
        />
      )}
      {list.next === null ? (
        t('latest.allShown')
      ) : (
        <Button
          variant="outlined"
          loading={loadingMore}
          onClick={() => {
            void more();
          }}
        >
          {t('latest.more')}
        </Button>
      )}
    </Foot>
  );
};

/** als/latest: who is online now, and every visit as it happens. */
export const Component = (): ReactElement | null => {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Latest site={site} />;
};
