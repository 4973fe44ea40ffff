import type { Site } from '@contract/sites/schemas';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { ControlRow } from '../ControlRow';
import { ShareButton } from '../ShareButton';
import type { ReportState } from '../urlState';
import { useLiveReports } from '../useLiveReports';
import { type Change, useReportState } from '../useReportState';

export type InsightProps = {
  readonly site: Site;
  readonly state: ReportState;
  readonly change: Change;
  readonly today: string;
  /** May create and change definitions. */ readonly mayWrite: boolean;
};

/** The frame of a screen that is not a table of `sections.ts`: heading, conditions, and its own content. */
const Framed = ({
  site,
  screen,
  title,
  note,
  actions,
  compares = false,
  children,
}: {
  readonly site: Site;
  readonly screen: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: (props: InsightProps) => ReactNode;
  /** Has a comparison period. */ readonly compares?: boolean;
  readonly children: (props: InsightProps) => ReactNode;
}): ReactElement => {
  const { state, change, today } = useReportState(site.timeZone);
  useLiveReports(site.id);
  const props = { site, state, change, today, mayWrite: mayOnSite(site.role, 'analytics.write') };
  return (
    <>
      <PageHeader title={title} note={note} />
      <ControlRow site={site} today={today} state={state} change={change} compares={compares}>
        {actions?.(props)}
        <ShareButton site={site} title={title} screen={screen} state={state} />
      </ControlRow>
      {children(props)}
    </>
  );
};

export const InsightFrame = ({
  title,
  ...props
}: {
  readonly title: 'goal' | 'event' | 'funnel' | 'retention' | 'journey';
  readonly note?: ReactNode;
  readonly actions?: (props: InsightProps) => ReactNode;
  /** Has a comparison period. */ readonly compares?: boolean;
  readonly children: (props: InsightProps) => ReactNode;
}): ReactElement | null => {
  const { siteId } = useParams();
  const { t } = useTranslation('nav');
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Framed key={site.id} site={site} screen={title} title={t(title)} {...props} />;
};
