import { useMemo, useState } from 'react';
import type { ResourceKind } from '@contract/resources/terms';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import type { ResourceAddress } from './resourceAddress';
import { resourcesChanged, useResourcesInfiniteQuery } from './resourcesApi';

const pageSize = 100;
/** Shortest interval between two refreshes because of changes by others or by uploads, in milliseconds. */
const refreshPause = 2000;
/** With more pages than this, a change is announced instead of fetching all of them again. */
const mostRefreshed = 5;

/** The resources of one screen, a page at a time, and their refresh when something changes. */
export function useResourceRows(siteId: string, kind: ResourceKind, { q, folder, tag, filter, sort, bin }: ResourceAddress) {
  const dispatch = useAppDispatch();
  const result = useResourcesInfiniteQuery({
    siteId,
    kind,
    sort,
    size: pageSize,
    ...(q.trim() === '' ? {} : { q: q.trim() }),
    ...(folder === '' || bin ? {} : { folder }),
    ...(tag === '' ? {} : { tag }),
    ...(filter === 'any' ? {} : { filter }),
    ...(bin ? { deleted: 'true' } : {}),
  });
  const pages = result.currentData?.pages ?? result.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const [outdated, setOutdated] = useState(false);
  const refresh = (): void => {
    setOutdated(false);
    dispatch(resourcesChanged(siteId));
  };
  const onChange = useThrottled(() => ((pages?.length ?? 0) > mostRefreshed ? setOutdated(true) : refresh()), refreshPause);
  useLive(
    useMemo(() => [`resources:${siteId}`], [siteId]),
    (signal) => {
      if (signal.type === 'resources' || signal.type === 'resync') onChange();
    },
  );
  const loadMore = (): void => void (result.hasNextPage && !result.isFetching && result.fetchNextPage());
  return { result, rows, total: pages?.[0]?.total ?? 0, loadMore, outdated, refresh };
}
