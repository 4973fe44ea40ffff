import { Alert, Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useContactHealthQuery } from './contactToolsApi';

/** Problems that prevent notices from arriving: nobody subscribed to security, no mail server, undeliverable mails. */
export function HealthNotes({ any }: { readonly any: boolean }): ReactElement | null {
  const { t } = useTranslation('contacts');
  const { data } = useContactHealthQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data) return null;
  const deaf = any && data.unheard.includes('security');
  if (data.mail && !deaf && data.failed === 0) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1, mb: 2 }}>
      {deaf && (
        <Alert severity="warning" variant="outlined">
          {t(data.mail ? 'health.security' : 'health.securityMailOff')}
        </Alert>
      )}
      {!data.mail && !deaf && (
        <Alert severity="info" variant="outlined">
          {t('health.mailOff')}
        </Alert>
      )}
      {data.failed > 0 && (
        <Alert severity="warning" variant="outlined">
          {t('health.failed', { count: data.failed })}
        </Alert>
      )}
    </Box>
  );
}
