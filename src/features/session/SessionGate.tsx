import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { accountApi } from '@/features/account/accountApi';
import { sitesApi } from '@/features/sites/sitesApi';
import { selectLoad } from '@/features/sites/sitesSlice';
import { stayAfterAll } from '@/lib/signInAddress';
import { hearTabs } from '@/lib/tabs';
import { signedOut } from '@/store/events';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import { selectGate } from './gateState';
import { sessionApi } from './sessionApi';
import { selectSession, selectSessionFailure, selectSessionStatus } from './sessionSlice';
import { useSessionRefresh } from './useSessionRefresh';

/** The server's own error page, as it is, in a frame that can do nothing (the page `/frame` and its policy). */
const ErrorPage = ({ html, onRetry }: { html: string; onRetry: () => void }) => {
  const { t } = useTranslation('shell');
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const give = (event: MessageEvent) => {
      // Its origin is opaque, so the answer can be addressed only by the window itself.
      if (event.source === frame.current?.contentWindow && event.data === 'ready') frame.current?.contentWindow?.postMessage(html, '*');
    };
    addEventListener('message', give);
    return () => removeEventListener('message', give);
  }, [html]);
  return (
    <>
      <iframe ref={frame} title={t('errorPage')} sandbox="allow-scripts" src="/frame" className="gate-page" />
      <div className="gate-retry">
        <PlainButton onClick={onRetry}>{t('retry')}</PlainButton>
      </div>
    </>
  );
};

const Middle = ({ children }: { children: ReactNode }) => <main className="gate">{children}</main>;

/** `enrol` where a second factor has to be set up first. Draws `children` once the session and the start-up data are there, and keeps them there while either is refreshed. */
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
      hearTabs((message) => {
        if (message.type === 'signedOut') dispatch(signedOut());
        else refresh();
      }),
    [dispatch, refresh],
  );

  useEffect(() => {
    const back = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      stayAfterAll();
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
      if (failure?.kind === 'html') return <ErrorPage html={failure.body ?? ''} onRetry={refresh} />;
      return (
        <Middle>
          <ErrorPanel title={t('gateFailed')} failure={failure} onRetry={refresh} />
        </Middle>
      );
    case 'startUpFailed':
      return (
        <Middle>
          <ErrorPanel
            title={t('startUpFailed')}
            failure={load.failure}
            onRetry={() => void dispatch(sitesApi.endpoints.load.initiate(undefined, { forceRefetch: true }))}
          />
        </Middle>
      );
    case 'enrol':
      return enrol;
    case 'startUp':
    case 'open':
      return children;
  }
};
