import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Skeleton, Typography } from '@mui/material';
import { useEffect, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useBeginTotpMutation, useConfirmTotpMutation } from '../securityApi';
import { RecoveryCodes } from './RecoveryCodes';

/** Six digits, as typed or pasted: with spaces, in full width. */
const digits = (typed: string): string => typed.normalize('NFKC').replaceAll(/\D/g, '');
const Code = z.object({ code: z.string().refine((typed) => digits(typed).length === 6) });

type Offer = { readonly secret: string; readonly qr: string };

/** The key in groups of four, to be typed over. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

function OfferView({ offer }: { readonly offer: Offer | null }): ReactElement {
  const { t } = useTranslation('security');
  const size = 176;
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('totp.scan')}
      </Typography>
      {/* Cameras want dark on light, whatever the page looks like. */}
      <Box sx={{ justifySelf: 'center', p: 1, bgcolor: '#fff', borderRadius: 1, lineHeight: 0 }}>
        {offer ? <img src={offer.qr} alt={t('totp.qr')} width={size} height={size} /> : <Skeleton variant="rectangular" width={size} height={size} />}
      </Box>
      <Box>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {t('totp.noCamera')}
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 0.5 }}>
          <Box component="code" sx={{ fontFamily: 'var(--mono)', fontSize: 13, overflowWrap: 'anywhere' }}>
            {offer ? grouped(offer.secret) : '…'}
          </Box>
          {offer && <CopyButton text={offer.secret} label={t('totp.copy')} />}
        </Box>
      </Box>
    </>
  );
}

type Props = {
  readonly onClose: () => void;
  /** It is on, and the codes that came with it are kept. */
  readonly onDone: () => void;
};

/** Turns an authenticator app on: a picture to scan, a first code, and recovery codes where it is the first factor. */
export function TotpDialog({ onClose, onDone }: Props): ReactElement {
  const { t } = useTranslation('security');
  const titleId = useId();
  const [begin] = useBeginTotpMutation();
  const [confirm, { isLoading }] = useConfirmTotpMutation();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [asked, setAsked] = useState(0);
  const form = useContractForm(Code, { defaultValues: { code: '' } });

  useEffect(() => {
    let gone = false;
    const ask = async () => {
      const call = begin();
      const { data, error } = await call;
      // Nothing that opens the account stays in the store.
      call.reset();
      if (gone) return;
      if (data) setOffer(data);
      else if (isFailure(error)) {
        // Not proven, or turned on elsewhere meanwhile: there is nothing to set up.
        if (error.code === 'reauth_required' || error.code === 'conflict') onClose();
        else setFailure(error);
      }
    };
    void ask();
    return () => {
      gone = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);

  const submit = async ({ code }: z.output<typeof Code>) => {
    if (isLoading) return;
    setFailure(null);
    const call = confirm({ body: { code: digits(code) } });
    const { data, error } = await call;
    call.reset();
    if (data) {
      if (data.recoveryCodes) setCodes(data.recoveryCodes);
      else onDone();
    } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
  };
  return (
    // While codes are shown that are never shown again, only their button closes it.
    <Dialog open onClose={codes ? undefined : onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      {codes ? (
        <RecoveryCodes titleId={titleId} codes={codes} onKept={onDone} />
      ) : (
        <Form form={form} onSubmit={submit}>
          <DialogTitle id={titleId}>{t('totp.setUp')}</DialogTitle>
          <DialogContent sx={{ display: 'grid', gap: 2 }}>
            {failure && (
              <ErrorPanel
                failure={failure}
                title={t('factors.failed')}
                {...(offer === null && {
                  onRetry: () => {
                    setFailure(null);
                    setAsked(asked + 1);
                  },
                })}
              />
            )}
            {(offer !== null || failure === null) && <OfferView offer={offer} />}
            {offer && (
              <TextField
                control={form.control}
                name="code"
                label={t('totp.code')}
                help={t('totp.codeHelp')}
                words={{ wrong_code: t('totp.wrong'), pattern: t('totp.codeHelp'), required: t('totp.codeHelp') }}
                autoComplete="one-time-code"
                inputMode="numeric"
                maxLength={20}
                verbatim
                autoFocus
                onTyped={(typed) => {
                  if (digits(typed).length === 6) void form.handleSubmit(submit)();
                }}
              />
            )}
          </DialogContent>
          <DialogActions sx={{ padding: '8px 24px 16px' }}>
            <Button onClick={onClose}>{t('factors.cancel')}</Button>
            <Button type="submit" variant="contained" disabled={offer === null} aria-busy={isLoading}>
              {t(isLoading ? 'factors.busy' : 'totp.confirm')}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  );
}
