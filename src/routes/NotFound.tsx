import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { href } from './paths';
import { TextLink } from './TextLink';

/** Any unknown address, and any that this person may not open: the specification's plain message inside the frame, with the ways back. */
export const NotFound = () => {
  const { t } = useTranslation('shell');
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return (
    <>
      <PageHeader title="404 Not Found" />
      <EmptyState
        title={t('noPage')}
        action={
          <>
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
