import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { accountApi } from '@/features/account/accountApi';
import { sitesApi } from '@/features/sites/sitesApi';
import { selectLoad } from '@/features/sites/sitesSlice';
import { allowLeavingAgain } from '@/lib/signInAddress';
import { listenToTabs } from '@/lib/tabs';
import { signedOut } from '@/store/events';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { PlainFailure } from '@/ui/PlainFailure';
import { lazyPart } from '@/ui/lazyPart';
import type { GateFailureProps } from './GateFailure';
import { selectGate } from './gateState';
import { sessionApi } from './sessionApi';
import { selectSession, selectSessionFailure, selectSessionStatus } from './sessionSlice';
import { useSessionRefresh } from './useSessionRefresh';

/** Shows the failure with all details; its part loads with the failure. */
const GateFailure = lazyPart(
  () => import(/* webpackChunkName: "gate-failure" */ './GateFailure').then((part) => part.GateFailure),
  ({ onRetry }: GateFailureProps) => <PlainFailure onRetry={onRetry} />,
);

/**
 * `enrol` is shown if a second factor has to be set up first. Renders `children` once the session and the start-up data have loaded, and keeps them
 * while either is refreshed.
 */
export const SessionGate = ({ enrol, children }: { enrol: ReactNode; children: ReactNode }) => {
  const { t } = useTranslation('shell');
  const dispatch = useAppDispatch();
  const gate = useAppSelector(selectGate);
  const status = useAppSelector(selectSessionStatus);
  const { userId, enrolment } = useAppSelector(selectSession) ?? {};
  const enrolling = enrolment === 'required';
  const failure = useAppSelector(selectSessionFailure);
  const load = useAppSelector(selectLoad);
  const refresh = useSessionRefresh();

  useEffect(() => {
    const requests = dispatch(sessionApi.endpoints.session.initiate());
    return () => requests.unsubscribe();
  }, [dispatch]);

  useEffect(() => {
    if (status !== 'present' || userId === undefined) return;
    const requests = [dispatch(accountApi.endpoints.user.initiate({ id: userId })), ...(enrolling ? [] : [dispatch(sitesApi.endpoints.load.initiate())])];
    return () => requests.forEach((one) => one.unsubscribe());
  }, [dispatch, status, userId, enrolling]);

  useEffect(
    () =>
      listenToTabs((message) => {
        if (message.type === 'signedOut') dispatch(signedOut(message.at));
        else refresh();
      }),
    [dispatch, refresh],
  );

  useEffect(() => {
    const back = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      allowLeavingAgain();
      refresh();
    };
    addEventListener('pageshow', back);
    return () => removeEventListener('pageshow', back);
  }, [refresh]);

  switch (gate) {
    case 'loading':
      return (
        <p role="status" className="gate-line">
          Loading...
        </p>
      );
    case 'leaving':
      return (
        <p role="status" className="gate-line">
          {t('toSignIn')}
        </p>
      );
    case 'failed':
      return <GateFailure title={t('gateFailed')} failure={failure} onRetry={refresh} />;
    case 'startUpFailed':
      return (
        <GateFailure
          title={t('startUpFailed')}
          failure={load.failure}
          onRetry={() => void dispatch(sitesApi.endpoints.load.initiate(undefined, { forceRefetch: true }))}
        />
      );
    case 'enrol':
      return enrol;
    case 'startUp':
    case 'open':
      return children;
  }
};
