import { Alert, Box, Button, Checkbox, DialogActions, DialogContent, DialogTitle, FormControlLabel, GlobalStyles, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { selectUser } from '@/features/account/userSlice';
import { useFormat } from '@/lib/format';
import { useAppSelector } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';

/** When printed: the codes and their owner, nothing else of the page. */
const onPaper = {
  '@media print': {
    'body > :not(:has(.recovery-codes))': { display: 'none !important' },
    '.MuiDialog-root:has(.recovery-codes), .MuiDialog-root:has(.recovery-codes) *': { position: 'static !important', boxShadow: 'none !important' },
    '.MuiDialog-root:has(.recovery-codes) .off-paper, .MuiDialog-root:has(.recovery-codes) .MuiBackdrop-root': { display: 'none !important' },
    '.MuiDialog-root:has(.recovery-codes) .on-paper': { display: 'block !important' },
  },
};

function saveFile(name: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** As inconspicuous as the copy button. */
const beside = { color: 'text.secondary', fontWeight: 400, fontSize: 'var(--text-body)' };

type Props = { readonly titleId: string; readonly codes: readonly string[]; readonly onKept: () => void };

/** Recovery codes, shown once: the content of a dialog that closes only when the person confirms that they are saved. */
export function RecoveryCodes({ titleId, codes, onKept }: Props): ReactElement {
  const { t } = useTranslation('security');
  const format = useFormat();
  const user = useAppSelector(selectUser);
  const [confirmed, setConfirmed] = useState(false);
  const [createdAt] = useState(() => new Date().toISOString());
  const facts = [t('codes.account', { name: user?.loginName ?? '' }), t('codes.createdOn', { date: format.date(createdAt, { weekday: false }) })];
  const text = [t('codes.heading'), ...facts, '', ...codes, ''].join('\n');
  return (
    <>
      <GlobalStyles styles={onPaper} />
      <DialogTitle id={titleId} className="off-paper">
        {t('codes.keepTitle')}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }} className="recovery-codes">
        <Alert severity="warning" className="off-paper" sx={{ alignItems: 'center' }}>
          {t('codes.once')}
        </Alert>
        <Box className="on-paper" sx={{ display: 'none' }}>
          <Typography variant="h2">{t('codes.heading')}</Typography>
          {facts.map((fact) => (
            <Typography key={fact} variant="body2">
              {fact}
            </Typography>
          ))}
        </Box>
        <Box
          component="ul"
          aria-label={t('codes.list')}
          sx={{
            m: 0,
            p: 2,
            display: 'grid',
            gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
            gap: 0.5,
            listStyle: 'none',
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            fontFamily: 'var(--mono)',
            fontSize: 'var(--text-body)',
            lineHeight: '24px',
            textAlign: 'center',
          }}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Box>
        <Box className="off-paper" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
          <CopyButton text={codes.join('\n')}>{t('codes.copy')}</CopyButton>
          <Button sx={beside} onClick={() => saveFile(t('codes.file'), text)}>
            {t('codes.download')}
          </Button>
          <Button sx={beside} onClick={() => print()}>
            {t('codes.print')}
          </Button>
        </Box>
        <FormControlLabel
          className="off-paper"
          control={<Checkbox checked={confirmed} onChange={(_event, on) => setConfirmed(on)} />}
          label={<Typography variant="body2">{t('codes.stored')}</Typography>}
        />
      </DialogContent>
      <DialogActions className="off-paper" sx={{ padding: '8px 24px 16px' }}>
        <Button variant="contained" disabled={!confirmed} onClick={onKept}>
          {t('codes.done')}
        </Button>
      </DialogActions>
    </>
  );
}
