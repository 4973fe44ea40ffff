import { useCallback, useEffect, useState } from 'react';
import type { Site } from '@contract/sites/schemas';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useFiguresQuery, useSitePinyinQuery } from './sitePagesApi';
import type { FiguresById, PinyinById } from './siteRows';

/** Refresh interval of the figures while the page is visible, in milliseconds; of many sites they take longer to read and to send. */
const pollMs = 30_000;
const pollManyMs = 60_000;
const many = 500;
/** The figures are not loaded more often than this, however much changes. */
const pauseMs = 5000;
const topics = ['sites'];

/** Today's figures by site, in one request; the list never waits for it. A change of a site may be one of its availability. */
export function useFigures(sites: number) {
  const { data, isError, refetch, isFetching } = useFiguresQuery(undefined, {
    pollingInterval: sites > many ? pollManyMs : pollMs,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: 10,
  });
  const [known, setKnown] = useState<{ readonly data: typeof data; readonly byId: FiguresById | undefined }>({ data: undefined, byId: undefined });
  if (data !== known.data) setKnown({ data, byId: data && new Map(data.sites.map((one) => [one.siteId, one])) });
  const retry = useCallback(() => void refetch(), [refetch]);
  const refresh = useThrottled(retry, pauseMs, { fresh: true });
  useLive(topics, ({ type }) => {
    if (type === 'site' || type === 'resync') refresh();
  });
  return { byId: known.byId, failed: isError || data?.failed.includes('visits') === true, retry, isFetching };
}
export type FiguresState = ReturnType<typeof useFigures>;

/**
 * Figures to sort by: the first ones loaded, because rows must not move under the pointer at every poll. `renew` switches to the newest. A site
 * without figures was just created: its figures are fetched immediately, not at the next poll.
 */
export function useOrdering(sites: readonly Site[], { byId, retry }: Pick<FiguresState, 'byId' | 'retry'>) {
  const [ordering, setOrdering] = useState<FiguresById | undefined>(undefined);
  if (ordering === undefined && byId !== undefined) setOrdering(byId);
  const incomplete = byId !== undefined && sites.some((site) => !byId.has(site.id));
  useEffect(() => {
    if (incomplete) retry();
  }, [incomplete, retry]);
  return { ordering, renew: () => setOrdering(byId) };
}

/** Syllables of names with Chinese characters, loaded when somebody searches, again after a minute: names change. */
export function usePinyin(q: string): PinyinById | undefined {
  const { data } = useSitePinyinQuery(undefined, { skip: q === '', refetchOnMountOrArgChange: 60 });
  const [known, setKnown] = useState<{ readonly data: typeof data; readonly byId: PinyinById | undefined }>({ data: undefined, byId: undefined });
  if (data !== known.data) setKnown({ data, byId: data && new Map(data.map(({ siteId, syllables }) => [siteId, syllables])) });
  return known.byId;
}

export type Selection = {
  readonly ids: ReadonlySet<string>;
  /** Selects a site, or no longer. `through`: and all between the last one and this. */
  readonly pick: (id: string, through?: boolean) => void;
  readonly all: () => void;
  readonly clear: () => void;
};

/** Sites selected for a change of many; those that are no longer listed are not selected. */
export function useSelection(rows: readonly Site[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const ids = chosen.size === 0 ? chosen : new Set(rows.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));
  const indexOf = (id: string | null): number => rows.findIndex((row) => row.id === id);
  const pick = (id: string, through = false): void => {
    const next = new Set(ids);
    const [from, to] = [indexOf(last), indexOf(id)];
    if (through && from !== -1) for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id);
    else if (!next.delete(id)) next.add(id);
    setChosen(next);
    setLast(id);
  };
  return { ids, pick, all: () => setChosen(new Set(rows.map(({ id }) => id))), clear: () => setChosen(new Set()) };
}
