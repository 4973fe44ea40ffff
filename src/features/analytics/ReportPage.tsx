import type { MeasureId } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatches, useParams } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import type { RouteNode } from '@/routes/types';
import { publicLinkSecret } from '@/lib/publicLink';
import { useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { allowedBlocks } from './allowedBlocks';
import { useReportQuery } from './analyticsApi';
import { seriesQuery } from './blocks';
import { Blocks } from './BlockView';
import { ControlRow } from './ControlRow';
import { EmptyReport } from './EmptyReport';
import { IdentityNote } from './IdentityNote';
import { LiveDot } from './LiveDot';
import { withFilters, withoutFilters } from './filters';
import { groupsOf } from './measures';
import { type Block, type Screen, screenOf } from './sections';
import { ShareButton } from './ShareButton';
import { reportQuery } from './urlState';
import { useLiveReports } from './useLiveReports';
import { type Change, useReportState } from './useReportState';

/** Measures of the blocks that share one query: figures, chart and bucket table. */
const measuresOf = (blocks: readonly Block[]): readonly MeasureId[] =>
  blocks.flatMap((block) => (block.kind === 'figures' || block.kind === 'series' || block.kind === 'buckets' ? block.measures : []));

const Report = ({ screen, site, title }: { readonly screen: Screen; readonly site: Site; readonly title: string }): ReactElement => {
  const { state: own, change: changeOwn, today } = useReportState(site.timeZone);
  // The screen's own filters apply to every call and to row links, but are not part of the address.
  const state = useMemo(() => (screen.filters === undefined ? own : { ...own, filters: withFilters(own.filters, screen.filters) }), [own, screen]);
  const change = useCallback<Change>(
    (values, how) => changeOwn(values.filters === undefined ? values : { ...values, filters: withoutFilters(values.filters, screen.filters ?? []) }, how),
    [changeOwn, screen],
  );
  const [index, set] = useState<number | null>(null);
  const reading = useMemo(() => ({ index, set }), [index]);
  useLiveReports(site.id);
  const groups = useMemo(() => groupsOf([...measuresOf(screen.blocks), ...own.measures]), [screen, own.measures]);
  const { currentData } = useReportQuery(seriesQuery(site.id, reportQuery(state), groups));
  const empty = currentData !== undefined && currentData.totals.visits === 0 && currentData.totals.views === 0;
  const blockProps = { site, state, own: own.filters, change, today, screen: screen.id, groups, reading };
  const blocks = useMemo(() => allowedBlocks(screen.blocks), [screen]);
  const reported = useMemo(() => blocks.filter((block) => block.kind === 'reportedKeywords'), [blocks]);
  const measured = useMemo(() => blocks.filter((block) => block.kind !== 'reportedKeywords'), [blocks]);
  return (
    <>
      <PageHeader title={title} />
      <ControlRow site={site} today={today} state={own} change={change}>
        {screen.id === 'overview' && publicLinkSecret === null && <LiveDot site={site} />}
        <ShareButton site={site} title={title} screen={screen.id.replaceAll('.', '/')} state={own} />
      </ControlRow>
      {screen.identity === true && site.identity === 'cookieless' ? (
        <IdentityNote site={site} />
      ) : empty ? (
        <>
          <EmptyReport site={site} state={own} change={change} today={today} excluded={currentData.explain.excluded} kind={screen.empty} />
          {/* Only the imported figures exist for that time. */}
          <Blocks blocks={measured.filter((block) => block.kind === 'imported')} {...blockProps} />
        </>
      ) : (
        <Blocks blocks={measured} {...blockProps} />
      )}
      {/* In the same place with and without visits, so that input survives loading. */}
      <Blocks blocks={reported} {...blockProps} />
      <PlaceCredit />
    </>
  );
};

const screenId = (node: RouteNode | undefined): string => node?.id.replace(/^site\.als\./, '') ?? '';

/** Any report screen: the route's name identifies its row in `sections.ts`. */
export const Component = (): ReactElement | null => {
  const { siteId } = useParams();
  const { t } = useTranslation('nav');
  const site = useAppSelector((state) => selectSite(state, siteId));
  const node = useMatches()
    .map((match) => match.handle as RouteNode | undefined)
    .findLast((handle) => handle !== undefined);
  const screen = screenOf(screenId(node));
  if (site === undefined || node?.title === undefined || screen === undefined) return null;
  return <Report key={screen.id} screen={screen} site={site} title={t(node.title)} />;
};
