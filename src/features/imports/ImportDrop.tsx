import { Box, Button, Typography } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

/** A place for files: dropped, or chosen with the keyboard. They come in the order of their names, as rotated logs are numbered. */
export function ImportDrop({ busy, onFiles }: { readonly busy: boolean; readonly onFiles: (files: readonly File[]) => void }): ReactElement {
  const { t } = useTranslation('imports');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (list: FileList | null): void => {
    const files = [...(list ?? [])].filter((file) => file.size > 0).sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    if (files.length > 0) onFiles(files);
  };
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
      sx={{
        border: '1px dashed',
        borderColor: over ? 'primary.main' : 'divider',
        borderRadius: 1,
        p: 3,
        mb: 3,
        display: 'grid',
        gap: 1,
        justifyItems: 'start',
      }}
    >
      <Typography component="h2" variant="subtitle1">
        {t('drop.title')}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: '70ch' }}>
        {t('drop.text')}
      </Typography>
      <Button variant="contained" disabled={busy} onClick={() => input.current?.click()}>
        {t('drop.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('drop.choose')}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
    </Box>
  );
}
