import DownIcon from '@mui/icons-material/ErrorOutlineOutlined';
import UnknownIcon from '@mui/icons-material/HelpOutlineOutlined';
import UpIcon from '@mui/icons-material/CheckCircleOutlined';
import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { UptimeStatus } from '@contract/uptime/schemas';

/** Whether a monitored site is reachable: a small icon, with text if something is wrong. */
export function UptimeSign({ status }: { readonly status: UptimeStatus | undefined }): ReactElement | null {
  const { t } = useTranslation('uptime');
  if (!status?.enabled) return null;
  const { state } = status;
  const icon = { fontSize: 'var(--text-section)', flex: 'none' } as const;
  if (state === 'up') return <UpIcon titleAccess={t('sign.up')} sx={{ ...icon, color: 'success.main' }} />;
  if (state === 'unknown') return <UnknownIcon titleAccess={t('sign.unknown')} sx={{ ...icon, color: 'text.secondary' }} />;
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.5,
        flex: 'none',
        fontSize: 'var(--text-secondary)',
        whiteSpace: 'nowrap',
        color: 'error.main',
      }}
    >
      <DownIcon aria-hidden sx={icon} />
      {t('sign.down')}
    </Box>
  );
}
