import { useMemo } from 'react';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import { analyticsApi } from './analyticsApi';

/** Shortest interval between report refreshes while visits arrive, in milliseconds: a busy site must not be recounted every second. */
const pauseMs = 10_000;

/** Refreshes the reports on the screen while visits arrive. */
export const useLiveReports = (siteId: string): void => {
  const dispatch = useAppDispatch();
  // The stream opens just after the reports were requested, and then says that events may have been missed.
  const refresh = useThrottled(
    () => {
      dispatch(
        analyticsApi.util.invalidateTags([
          { type: 'Report', id: siteId },
          { type: 'Install', id: siteId },
        ]),
      );
    },
    pauseMs,
    { fresh: true },
  );
  useLive(
    useMemo(() => [`als:${siteId}`], [siteId]),
    refresh,
  );
};
