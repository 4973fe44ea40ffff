import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { href } from './paths';
import { TextLink } from './TextLink';

/** Any unknown route: the specification's plain message. */
export const NotFoundPlain = () => <p className="gate-line">404 Not Found</p>;

/** Unknown below `/account`: the notice stands inside the frame. */
export const NotFoundInside = () => {
  const { t } = useTranslation('shell');
  return (
    <>
      <PageHeader title="404 Not Found" />
      <EmptyState title={t('noPage')} action={<TextLink to={href('home')}>{t('toHome')}</TextLink>} />
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
