import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { useCrawlRunQuery } from '../crawlerApi';

/** The site of a run, and what the person may do with it; the site is undefined while the run loads. */
export function useRunRights(runId: string): { readonly site: Site | undefined; readonly mayChange: boolean } {
  const { data } = useCrawlRunQuery({ crawlRunId: runId });
  const site = useAppSelector((state) => selectSite(state, data?.siteId ?? ''));
  return { site, mayChange: site !== undefined && mayOnSite(site.role, 'crawler.run') };
}
