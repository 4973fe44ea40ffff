import { useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { Site } from '@contract/sites';
import type { ContentTable } from '@contract/tables';
import { selectSite } from '@/features/sites/sitesSlice';
import { useLive } from '@/lib/useLive';
import { isFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useTablesQuery } from '../tablesApi';
import { designApi } from './designApi';

type Content = (site: Site, tables: readonly ContentTable[]) => ReactNode;
const Loaded = ({ site, children }: { readonly site: Site; readonly children: Content }): ReactElement => {
  const dispatch = useAppDispatch();
  const answer = useTablesQuery(site.id);
  useLive(
    useMemo(() => [`table:${site.id}`], [site.id]),
    ({ type }) => {
      if (type === 'tables' || type === 'resync')
        dispatch(
          designApi.util.invalidateTags([
            { type: 'Table', id: site.id },
            { type: 'Design', id: site.id },
          ]),
        );
    },
  );
  return (
    <AnswerState
      answer={answer}
      skeleton={<RowsSkeleton rows={8} />}
      failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
    >
      {(tables) => children(site, tables)}
    </AnswerState>
  );
};

/** The tables of the site that the address names, kept fresh by what others change. */
export const DesignSite = ({ children }: { readonly children: Content }): ReactElement | null => {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : (
    <Loaded key={site.id} site={site}>
      {children}
    </Loaded>
  );
};
