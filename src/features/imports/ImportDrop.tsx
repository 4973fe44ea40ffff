import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileDrop } from '@/ui/useFileDrop';

/** A drop zone that is usable with the keyboard. Files are sorted by name, as rotated logs are numbered. */
export function ImportDrop({ busy, onFiles }: { readonly busy: boolean; readonly onFiles: (files: readonly File[]) => void }): ReactElement {
  const { t } = useTranslation('imports');
  const drop = useFileDrop((all) => {
    const files = all.filter((file) => file.size > 0).sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    if (files.length > 0) onFiles(files);
  });
  return (
    <Box
      {...drop.place}
      sx={{
        border: '1px dashed',
        borderColor: drop.over ? 'primary.main' : 'divider',
        borderRadius: 1,
        p: 3,
        mb: 3,
        display: 'grid',
        gap: 1,
        justifyItems: 'start',
      }}
    >
      <Typography variant="h2">{t('drop.title')}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: '70ch' }}>
        {t('drop.text')}
      </Typography>
      <Button variant="contained" sx={{ mt: 1 }} disabled={busy} onClick={drop.choose}>
        {t('drop.choose')}
      </Button>
      <input {...drop.input} multiple aria-label={t('drop.choose')} />
    </Box>
  );
}
