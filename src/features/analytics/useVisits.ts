import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { type LatestFilter, useLatestQuery, useLazyLatestQuery, useOnlineQuery } from './analyticsApi';
import { noVisits, type VisitList, prependNewest, appendOlder } from './visitList';

const pauseMs = 2000;
const pollMs = 30_000;

/** Whether the reader has scrolled past `mark`. */
export const useScrolledPast = (mark: RefObject<HTMLElement | null>): boolean => {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const node = mark.current;
    if (node === null || typeof IntersectionObserver === 'undefined') return undefined;
    // Only what is above the window counts: a list below the fold has not been read yet.
    const observer = new IntersectionObserver(([entry]) => setPast(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < 0));
    observer.observe(node);
    return () => observer.disconnect();
  }, [mark]);
  return past;
};

/**
 * The live list of visits: the newest page follows the stream, older pages stay below it. While `paused`, new visits are counted instead of shown;
 * they are added when the reader is back at the top.
 */
export const useVisits = (filter: LatestFilter, paused: boolean) => {
  // The online list has no range of days.
  const { from: _from, to: _to, ...visitors } = filter;
  const { siteId } = filter;
  const result = useLatestQuery(filter, { pollingInterval: pollMs, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true });
  const online = useOnlineQuery(visitors, { pollingInterval: pollMs, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true });
  const [loadOlder, older] = useLazyLatestQuery();
  const [list, setList] = useState<VisitList>(noVisits);
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const [olderFailed, setOlderFailed] = useState(false);
  const { currentData, refetch } = result;

  const key = JSON.stringify(filter);
  const shownKey = useRef(key);
  const isPaused = useRef(paused);
  useEffect(() => {
    isPaused.current = paused;
  });

  useEffect(() => {
    if (currentData === undefined) return;
    const other = shownKey.current !== key;
    shownKey.current = key;
    if (isPaused.current && !other) {
      // A poll or refresh was in progress: its new visits wait like the others.
      setList((before) => {
        const known = new Set(before.rows.map((row) => row.visitId));
        const arrived = currentData.rows.filter((row) => !known.has(row.visitId)).map((row) => row.visitId);
        if (before.rows.length > 0) {
          setWaiting((ids) => new Set([...ids, ...arrived]));
          return before;
        }
        return prependNewest(before, currentData);
      });
      return;
    }
    setWaiting(new Set());
    setList((before) => prependNewest(other ? noVisits : before, currentData));
  }, [currentData, key]);

  const refresh = useThrottled(() => {
    if (!isPaused.current) void refetch();
    void online.refetch();
  }, pauseMs);
  const known = useMemo(() => new Set(list.rows.map((row) => row.visitId)), [list]);
  useLive(
    useMemo(() => [`als:${siteId}`], [siteId]),
    (signal) => {
      if (isPaused.current && signal.type === 'als') {
        const arrived = signal.visitIds.filter((id) => !known.has(id));
        if (arrived.length > 0) setWaiting((ids) => new Set([...ids, ...arrived]));
      }
      refresh();
    },
  );
  // Waiting visits are added when the reader is back at the top.
  const wasPaused = useRef(false);
  useEffect(() => {
    if (wasPaused.current && !paused) void refetch();
    wasPaused.current = paused;
  }, [paused, refetch]);

  const more = async (): Promise<void> => {
    if (list.next === null) return;
    setOlderFailed(false);
    try {
      const page = await loadOlder({ ...filter, cursor: list.next }).unwrap();
      setList((before) => (shownKey.current === key ? appendOlder(before, page) : before));
    } catch {
      setOlderFailed(true);
    }
  };
  return { result, online, list, waiting: waiting.size, more, loadingMore: older.isFetching, moreError: olderFailed ? older.error : undefined };
};
