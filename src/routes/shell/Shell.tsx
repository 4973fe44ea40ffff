import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router-dom';
import { PageSkeleton } from '@/ui/skeletons';

const Main = styled('main')({ padding: 24, maxWidth: 1440 });

/** Stands in the page's place until its part has arrived. */
export const FirstPart = () => {
  const { t } = useTranslation('shell');
  return <PageSkeleton message={t('loadingPart')} />;
};

export const Shell = () => (
  <Main id="content">
    <Outlet />
  </Main>
);
