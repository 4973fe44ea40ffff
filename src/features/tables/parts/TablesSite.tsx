import { useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import type { LiveSignal } from '@/lib/live';
import { useLive } from '@/lib/useLive';
import type { AppDispatch } from '@/store';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useTablesQuery } from '../tablesApi';
import { useImportNotices } from '../transfer/importNotices';

/** Definitions of a site have changed, or may have. */
export type TablesChanged = Extract<LiveSignal, { readonly type: 'tables' | 'resync' }>;
type Props = {
  readonly children: (site: Site, tables: readonly ContentTable[]) => ReactNode;
  /** Refetches what a screen shows of the tables. */ readonly refresh: (dispatch: AppDispatch, siteId: string, signal: TablesChanged) => void;
};

const Loaded = ({ site, refresh, children }: Props & { readonly site: Site }): ReactElement => {
  const dispatch = useAppDispatch();
  const result = useTablesQuery({ siteId: site.id });
  useImportNotices(site.id);
  useLive(
    useMemo(() => [`table:${site.id}`], [site.id]),
    (signal) => {
      if (signal.type === 'tables' || signal.type === 'resync') refresh(dispatch, site.id, signal);
    },
  );
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(tables) => children(site, tables)}
    </ResultState>
  );
};

/** The tables of the site in the URL, updated live. */
export const TablesSite = (props: Props): ReactElement | null => {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Loaded key={site.id} site={site} {...props} />;
};
