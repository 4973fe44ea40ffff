import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useRouteError } from 'react-router-dom';
import { partFailure } from '@/lib/chunkRecovery';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { PlainButton } from '@/ui/PlainButton';

const tryAgain = () => location.reload();

/** 400: no loader to read from; 405: no action to send to. */
const ApplicationError = ({ status, detail }: { status: number; detail: string }) => {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title="Application Error" beside={<span style={{ color: 'var(--ink-2)' }}>{status}</span>} />
      <p>{status === 405 ? t('noAction') : t('noLoader')}</p>
      <p style={{ color: 'var(--ink-2)', margin: '8px 0 16px', overflowWrap: 'anywhere' }}>
        <code>{detail}</code>
      </p>
      <PlainButton type="button" onClick={() => history.back()}>
        {t('back')}
      </PlainButton>
    </>
  );
};

/** Inside the frame: the navigation stays usable. */
export const RouteError = () => {
  const error = useRouteError();
  const { t } = useTranslation('shell');
  const part = partFailure(error);
  useEffect(() => {
    if (!part && !isRouteErrorResponse(error)) console.error(error);
  }, [error, part]);
  if (isRouteErrorResponse(error)) {
    if (error.status === 400 || error.status === 405) return <ApplicationError status={error.status} detail={messageOf(error.data)} />;
    return <EmptyState title={`${String(error.status)} ${error.statusText}`} />;
  }
  if (part) {
    return (
      <ErrorPanel title={part.late ? t('partLate') : t('partFailed')} onRetry={tryAgain}>
        <p>
          <code>{part.name}</code> {part.request !== '' && <code style={{ color: 'var(--ink-2)', overflowWrap: 'anywhere' }}>{part.request}</code>}
        </p>
        <p>{t('partAdvice')}</p>
      </ErrorPanel>
    );
  }
  return (
    <ErrorPanel title={t('pageBroken')} onRetry={tryAgain}>
      <p style={{ overflowWrap: 'anywhere' }}>
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <p>{t('pageBrokenAdvice')}</p>
    </ErrorPanel>
  );
};

/** Outside the frame: the frame itself is what broke. */
export const AppError = () => (
  <main style={{ maxWidth: 720, margin: '48px auto', padding: '0 24px' }}>
    <RouteError />
  </main>
);

const messageOf = (data: unknown): string => (typeof data === 'string' ? data : data instanceof Error ? data.message : '');
