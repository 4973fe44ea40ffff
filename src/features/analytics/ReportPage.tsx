import type { Site } from '@contract/sites';
import { type ReactElement, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatches, useParams } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import type { RouteNode } from '@/routes/types';
import { useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { useReportQuery } from './analyticsApi';
import { type BlockProps, seriesQuery } from './blocks';
import { BucketsBlock } from './BucketsBlock';
import { ControlRow } from './ControlRow';
import { EmptyReport } from './EmptyReport';
import { FiguresBlock } from './FiguresBlock';
import { ListsBlock } from './ListsBlock';
import { RowsBlock } from './RowsBlock';
import { type Block, type Screen, screenOf } from './sections';
import { type Reading, SeriesBlock } from './SeriesBlock';
import { TodayBlock } from './TodayBlock';
import { reportQuery } from './urlState';
import { useLiveReports } from './useLiveReports';
import { useReportState } from './useReportState';

const BlockView = ({ block, reading, ...props }: BlockProps & { readonly block: Block; readonly reading: Reading }): ReactElement | null => {
  switch (block.kind) {
    case 'today':
      return <TodayBlock {...props} measures={block.measures} />;
    case 'figures':
      return <FiguresBlock {...props} measures={block.measures} />;
    case 'series':
      return <SeriesBlock {...props} measures={block.measures} reading={reading} />;
    case 'buckets':
      return <BucketsBlock {...props} measures={block.measures} charted={block.charted} more={block.more} reading={reading} />;
    case 'rows':
      return <RowsBlock {...props} by={block.by} measures={block.measures} more={block.more} whenAsked={block.whenAsked === true} />;
    case 'lists':
      return props.state.by === null ? <ListsBlock {...props} lists={block.lists} /> : null;
  }
};

const Report = ({ screen, site, title }: { screen: Screen; site: Site; title: string }): ReactElement => {
  const { state, change, today } = useReportState(site.timeZone);
  const [index, set] = useState<number | null>(null);
  const reading = useMemo(() => ({ index, set }), [index]);
  useLiveReports(site.id);
  const { currentData } = useReportQuery(seriesQuery(site.id, reportQuery(state)));
  const empty = currentData !== undefined && currentData.totals.visits === 0 && currentData.totals.views === 0;
  return (
    <>
      <PageHeader title={title} />
      <ControlRow siteId={site.id} timeZone={site.timeZone} today={today} state={state} change={change} />
      {empty ? (
        <EmptyReport site={site} state={state} change={change} today={today} excluded={currentData.explain.excluded} />
      ) : (
        screen.blocks.map((block) => <BlockView key={block.kind} block={block} site={site} state={state} change={change} today={today} reading={reading} />)
      )}
      {screen.blocks.some((block) => block.kind === 'lists') && <PlaceCredit />}
    </>
  );
};

/** Any report screen: the route's name says which row of `sections.ts` it is. */
export const Component = (): ReactElement | null => {
  const { siteId } = useParams();
  const { t } = useTranslation('nav');
  const site = useAppSelector((state) => selectSite(state, siteId));
  const node = useMatches().findLast((match) => match.handle !== undefined)?.handle as RouteNode | undefined;
  const screen = screenOf(node?.id.replace(/^site\.als\./, '') ?? '');
  if (site === undefined || node?.title === undefined || screen === undefined) return null;
  return <Report key={screen.id} screen={screen} site={site} title={t(node.title)} />;
};
