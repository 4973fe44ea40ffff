import { useEffect, useRef } from 'react';
import { accountApi } from '@/features/account/accountApi';
import { jobsApi } from '@/features/jobs/jobsApi';
import { noticesApi } from '@/features/notices/noticesApi';
import { selectSession } from '@/features/session/sessionSlice';
import { useSessionRefresh } from '@/features/session/useSessionRefresh';
import { sitesApi } from '@/features/sites/sitesApi';
import { removed } from '@/features/sites/sitesSlice';
import type { LiveSignal } from '@/lib/live';
import { useLive } from '@/lib/useLive';
import { useThrottled } from '@/lib/useThrottled';
import { api } from '@/store/api';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';

const topics = ['sites', 'user', 'jobs'] as const;
/** Shortest interval between two requests of everything, in milliseconds: longer than a screen takes to load on a slow phone. */
const resyncPauseMs = 15_000;
/** In this time a few sites that change are fetched one by one, and others together with all. */
const burstMs = 2000;
const again = { forceRefetch: true, subscribe: false } as const;

/** Keeps the data of the frame current while other people or tabs change it. */
export function useShellLive(): void {
  const dispatch = useAppDispatch();
  const session = useAppSelector(selectSession);
  const refreshSession = useSessionRefresh();

  useEffect(() => {
    const subscriptions = [dispatch(jobsApi.endpoints.jobs.initiate()), dispatch(noticesApi.endpoints.notices.initiate())];
    return () => subscriptions.forEach((one) => one.unsubscribe());
  }, [dispatch]);

  const burst = useRef({ from: 0, sites: 0 });
  const fetchSite = async (siteId: string): Promise<void> => {
    const { error } = await dispatch(sitesApi.endpoints.site.initiate({ siteId }, again));
    if (isFailure(error) && error.status === 404) dispatch(removed(siteId));
  };

  const fetchMe = async (userId: string): Promise<void> => {
    // A page that lists people receives events about everybody.
    if (userId !== session?.userId) return;
    dispatch(api.util.invalidateTags(['Security']));
    // Access to sites may have been granted or revoked.
    void dispatch(sitesApi.endpoints.load.initiate(undefined, again));
    const { data } = await dispatch(accountApi.endpoints.user.initiate({ id: userId }, again));
    if (data && data.role !== session.role) refreshSession();
  };

  // The stream opens just after everything was requested, and then says that events may have been missed.
  const fetchAll = useThrottled(
    () => {
      dispatch(api.util.invalidateTags([{ type: 'Notice', id: 'LIST' }]));
      void dispatch(sitesApi.endpoints.load.initiate(undefined, again));
      void dispatch(jobsApi.endpoints.jobs.initiate(undefined, again));
    },
    resyncPauseMs,
    { fresh: true },
  );

  /** Counts a site that has changed. */
  const isMany = (): boolean => {
    if (Date.now() - burst.current.from > burstMs) burst.current = { from: Date.now(), sites: 0 };
    return ++burst.current.sites > 9;
  };

  useLive(topics, (signal: LiveSignal) => {
    switch (signal.type) {
      case 'site':
        if (signal.change === 'removed') dispatch(removed(signal.siteId));
        else if (isMany()) fetchAll();
        else void fetchSite(signal.siteId);
        return;
      case 'user':
        return void fetchMe(signal.userId);
      case 'sessionEnded':
        if (signal.sessionId === session?.id) refreshSession();
        return;
      case 'job':
        // Not `again`, which requests nothing while a response is pending: that one may be older than the end of the job.
        return void dispatch(api.util.invalidateTags([{ type: 'Job', id: 'LIST' }]));
      case 'notice':
        if (signal.userId === session?.userId) dispatch(api.util.invalidateTags([{ type: 'Notice', id: 'LIST' }]));
        return;
      case 'resync':
        return fetchAll();
      case 'als':
      case 'records':
      case 'tables':
      case 'presence':
      case 'resources':
      case 'publishing':
      case 'hostnames':
      case 'countryBlock':
      case 'filings':
      case 'intl':
      case 'seo':
      case 'crawl':
      case 'support':
      case 'supportTyping':
      case 'supportVisitor':
      case 'supportAgents':
      case 'supportSettings':
        return;
    }
  });
}
