import type { Cards } from '@contract/dashboard/schemas';
import { cardIds } from '@contract/dashboard/terms';
import type { CardId } from '@contract/dashboard/terms';
import { useCallback, useEffect, useState } from 'react';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import { dashboardApi, tagOf, useDashboardQuery } from './dashboardApi';

const pollMs = 60_000;
const livePollMs = 15_000;
/** At most this often after a visit, milliseconds. */
const liveEvery = 2000;
const reportsEvery = 15_000;

export type Dashboard = {
  readonly cards: Cards | undefined;
  readonly at: string | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly isRefreshing: boolean;
  /** Cards that could not be read are being read a second time: most were only slow, and are there by then. */
  readonly readsAgain: boolean;
  /** Reads everything anew, or one card. */
  readonly refresh: (card?: CardId) => void;
  /** There was a visit. */
  readonly onVisit: () => void;
};

/**
 * All cards in one call, again every minute; those of today also after visits, and who is online every 15 seconds. Nothing is fetched in a hidden tab.
 */
export function useDashboard(siteId: string): Dashboard {
  const dispatch = useAppDispatch();
  const [isRefreshing, setRefreshing] = useState(false);
  const [again, setAgain] = useState<string | null>(null);
  const all = useDashboardQuery({ siteId }, { pollingInterval: pollMs, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true });
  const hasLive = all.currentData?.cards.live !== undefined && all.currentData.cards.live.state !== 'forbidden';
  const live = useDashboardQuery({ siteId, cards: 'live' }, { pollingInterval: livePollMs, skipPollingIfUnfocused: true, skip: !hasLive });

  const read = useCallback(
    async (cards: string | undefined, fresh: boolean): Promise<void> => {
      const { data } = await dispatch(
        dashboardApi.endpoints.dashboard.initiate(
          { siteId, ...(cards === undefined ? {} : { cards }), ...(fresh ? { fresh: '1' as const } : {}) },
          { forceRefetch: true, subscribe: false },
        ),
      );
      if (data === undefined) return;
      dispatch(
        dashboardApi.util.updateQueryData('dashboard', { siteId }, (draft) => {
          draft.at = data.at;
          Object.assign(draft.cards, data.cards);
        }),
      );
    },
    [dispatch, siteId],
  );
  const failed = cardIds.filter((id) => all.currentData?.cards[id]?.state === 'error').join(',');
  const readsAgain = failed !== '' && again === null;
  useEffect(() => {
    if (readsAgain) void read(failed, false).finally(() => setAgain(failed));
  }, [readsAgain, failed, read]);
  const onReports = useThrottled(() => void read('today,top,setup', false), reportsEvery, { fresh: true });
  // A request that is under way may have missed the visit: an invalidation is followed by another one, `refetch` is not.
  const onLive = useThrottled(() => void dispatch(dashboardApi.util.invalidateTags([tagOf({ siteId, cards: 'live' })])), liveEvery, { fresh: true });
  const refresh = (card?: CardId): void => {
    setRefreshing(true);
    if (all.currentData === undefined) void all.refetch();
    void read(card, true).finally(() => setRefreshing(false));
  };
  const onVisit = (): void => {
    if (!hasLive) return;
    onReports();
    onLive();
  };
  const cards = all.currentData?.cards;
  const newest = live.currentData?.cards.live;
  const isNewer = newest?.at !== undefined && newest.at !== null && newest.at > (cards?.live?.at ?? '');
  return {
    cards: cards && isNewer ? { ...cards, live: newest } : cards,
    at: all.currentData?.at,
    error: all.error,
    isFetching: all.isFetching,
    isRefreshing,
    readsAgain,
    refresh,
    onVisit,
  };
}
