import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, type To } from 'react-router-dom';

/** A link from a section to its screen. */
export const MoreLink = ({ to, name }: { to: To; name: string }): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <Button component={Link} to={to} aria-label={`${t('more')} ${name}`} sx={{ color: 'text.secondary', mr: -1.5 }}>
      {t('more')}
    </Button>
  );
};
