import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { selectMay } from '@/features/session/sessionSlice';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';

/** Who is notified of alerts: people of the site behind their bell, and contacts by mail or webhook where these are set up. */
export function AlertRecipients({ people, contacts, mail }: { readonly people: number; readonly contacts: number; readonly mail: boolean }): ReactElement {
  const { t } = useTranslation('sharing');
  return (
    <Box component="section" aria-label={t('alerts.who')} sx={{ mb: 2, color: 'text.secondary' }}>
      <Typography variant="body2">{t('alerts.people', { count: people })}</Typography>
      <RecipientCount count={contacts} mail={mail} part="alerts" />
    </Box>
  );
}

/** How many contacts receive it, and where to change that; a warning if nobody does. */
export function RecipientCount({ count, mail, part }: { readonly count: number; readonly mail: boolean; readonly part: 'reports' | 'alerts' }): ReactElement {
  const { t } = useTranslation('sharing');
  const mayRead = useAppSelector((state) => selectMay(state, 'contacts.read'));
  return (
    <Typography variant="body2" role="status" sx={{ mb: 2, color: count === 0 && part === 'reports' ? 'warning.main' : 'text.secondary' }}>
      {count === 0 ? t(`${part}.nobody`) : t(`${part}.recipients`, { count })}
      {!mail && t('reports.mailOff')}{' '}
      {mayRead && (
        <Link className="text-link in-text" to={`${href('account.contacts')}?topic=${part === 'reports' ? 'report' : 'traffic'}`}>
          {t('reports.contacts')}
        </Link>
      )}
    </Typography>
  );
}
