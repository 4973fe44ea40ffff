import { mayOnSite } from '@contract/permissions';
import { isOpenRun } from '@contract/crawler/terms';
import type { Site } from '@contract/sites/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { useCrawlRunQuery } from '../crawlerApi';

type RunRights = { readonly site: Site | undefined; readonly mayChange: boolean; readonly isAudited: boolean };

/** The site of a run, and what the person may do with it; the site is undefined while the run loads. `isAudited`: it has ended, so that its issues are known. */
export function useRunRights(runId: string): RunRights {
  const { data } = useCrawlRunQuery({ crawlRunId: runId });
  const site = useAppSelector((state) => selectSite(state, data?.siteId ?? ''));
  return { site, mayChange: site !== undefined && mayOnSite(site.role, 'crawler.run'), isAudited: data === undefined || !isOpenRun(data) };
}
