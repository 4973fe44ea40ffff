import { useMemo } from 'react';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { useAppDispatch } from '@/store/hooks';
import { analyticsApi } from './analyticsApi';

/** Reports are asked again at most so often while visits come in: a busy site must not be recounted every second. */
const pauseMs = 10_000;

/** Keeps the reports on the screen current while visits arrive. */
export const useLiveReports = (siteId: string): void => {
  const dispatch = useAppDispatch();
  const refresh = useThrottled(() => {
    dispatch(
      analyticsApi.util.invalidateTags([
        { type: 'Report', id: siteId },
        { type: 'Install', id: siteId },
      ]),
    );
  }, pauseMs);
  useLive(
    useMemo(() => [`als:${siteId}`], [siteId]),
    refresh,
  );
};
