import { Alert, AlertTitle, Box, Button, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

/** One field that two people set differently, as text. */
export type Difference = { readonly label: string; readonly mine: string; readonly theirs: string };

/** After a 409: the form's values beside the values saved in the meantime. Neither side is lost until the person chooses. */
export function StaleNotice({
  differences,
  onKeepMine,
  onTakeTheirs,
  onMerge,
}: {
  readonly differences: readonly Difference[];
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  /** Merges the changes of both sides; null: both changed the same field. Absent if merging is not supported. */
  readonly onMerge?: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('form');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const textOf = (value: string) => (value === '' ? t('stale.empty') : value);
  return (
    <Alert severity="warning" variant="outlined" ref={box} tabIndex={-1} sx={{ '& .MuiAlert-message': { flex: 1, minWidth: 0 } }}>
      <AlertTitle>{t('stale.title')}</AlertTitle>
      {t('stale.text')}
      {onMerge !== undefined && <Box sx={{ mt: 0.5 }}>{t(onMerge ? 'stale.mergeText' : 'stale.noMerge')}</Box>}
      {differences.length > 0 && (
        <Box sx={{ overflowX: 'auto', my: 1 }}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell sx={{ pl: 0 }}>{t('stale.field')}</TableCell>
                <TableCell>{t('stale.mine')}</TableCell>
                <TableCell>{t('stale.theirs')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {differences.map((one, at) => (
                // Two entries with the same label stay separate.
                <TableRow key={`${String(at)} ${one.label}`}>
                  <TableCell component="th" scope="row" sx={{ pl: 0, color: 'text.secondary' }}>
                    {one.label}
                  </TableCell>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>{textOf(one.mine)}</TableCell>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>{textOf(one.theirs)}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1 }}>
        {onMerge && (
          <Button variant="outlined" color="inherit" onClick={onMerge}>
            {t('stale.merge')}
          </Button>
        )}
        <Button variant={onMerge ? 'text' : 'outlined'} color="inherit" onClick={onKeepMine}>
          {t('stale.keepMine')}
        </Button>
        <Button color="inherit" onClick={onTakeTheirs}>
          {t('stale.takeTheirs')}
        </Button>
      </Box>
    </Alert>
  );
}
