import { Alert, Box, OutlinedInput, Typography } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { CopyButton } from '@/ui/CopyButton';

/** A link that is shown once, to be passed on: a copy button and its expiry. */
export function LinkBox({ url, expiresAt, children }: { readonly url: string; readonly expiresAt: string; readonly children?: ReactNode }): ReactElement {
  const { t } = useTranslation('people');
  const format = useFormat();
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {children}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <OutlinedInput
          fullWidth
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
          slotProps={{ input: { 'aria-label': t('link.label'), spellCheck: false } }}
          sx={{ fontFamily: 'var(--mono)', fontSize: 'var(--text-table)' }}
        />
        <Box sx={{ flex: 'none', whiteSpace: 'nowrap' }}>
          <CopyButton text={url} label={t('link.copyLabel')}>
            {t('link.copy')}
          </CopyButton>
        </Box>
      </Box>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t('link.until', { when: format.dateTime(expiresAt) })}
      </Typography>
      <Alert severity="warning" variant="outlined">
        {t('link.once')}
      </Alert>
    </Box>
  );
}
