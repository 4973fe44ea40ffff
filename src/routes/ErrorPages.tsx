import { use, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, useParams, useRouteError } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import { partFailure } from '@/lib/chunkRecovery';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { PlainButton } from '@/ui/PlainButton';
import { href } from './paths';
import { PaletteContext } from './shell/paletteContext';
import { TextLink } from './TextLink';

const tryAgain = () => location.reload();

/** 400: no loader for the address; 405: no action for it. */
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

/** Rendered inside the frame: the navigation stays usable. */
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

const messageOf = (data: unknown): string => (typeof data === 'string' ? data : data instanceof Error ? data.message : '');

/** Any unknown address, and any that this person may not open: the specification's plain message inside the frame, with a search and links back. */
export const NotFound = () => {
  const { t } = useTranslation('shell');
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const openPalette = use(PaletteContext);
  return (
    <>
      <PageHeader title="404 Not Found" />
      <EmptyState
        kind="noRight"
        title={t('noPage')}
        action={
          <>
            {openPalette && (
              <div>
                <PlainButton type="button" onClick={openPalette}>
                  {t('findPage')}
                </PlainButton>
              </div>
            )}
            {site && <TextLink to={href('site', { siteId: site.id })}>{t('toSite', { name: site.name })}</TextLink>}
            <TextLink to={href('home')}>{t('toHome')}</TextLink>
          </>
        }
      />
    </>
  );
};

/** A site that does not exist, or that this person may not see: both look the same. */
export const NoSuchSite = () => {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title={t('noSiteTitle')} />
      <EmptyState title={t('noSite')} action={<TextLink to={href('home')}>{t('toHome')}</TextLink>}>
        {t('noSiteWhy')}
      </EmptyState>
    </>
  );
};
