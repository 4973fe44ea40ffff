import { Box, Skeleton, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { forgetResult } from '@/store/forgetResult';
import { CopyButton } from '@/ui/CopyButton';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useBeginTotpMutation, useConfirmTotpMutation } from '../securityApi';
import { RecoveryCodesDialog } from './RecoveryCodesDialog';

/** Six digits, as typed or pasted: with spaces, in full width. */
const digits = (typed: string): string => typed.normalize('NFKC').replaceAll(/\D/g, '');
const Code = z.object({ code: z.string().refine((typed) => digits(typed).length === 6) });

type Offer = { readonly secret: string; readonly qr: string };

/** The key in groups of four, for typing. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

function OfferView({ offer }: { readonly offer: Offer | null }): ReactElement {
  const { t } = useTranslation('security');
  const size = 176;
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('totp.scan')}
      </Typography>
      {/* Cameras need dark on light, whatever the colour scheme. */}
      <Box sx={{ justifySelf: 'center', p: 1, bgcolor: '#fff', borderRadius: 1, lineHeight: 0 }}>
        {offer ? <img src={offer.qr} alt={t('totp.qr')} width={size} height={size} /> : <Skeleton variant="rectangular" width={size} height={size} />}
      </Box>
      <Box>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {t('totp.noCamera')}
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 0.5 }}>
          <Box component="code" sx={{ fontFamily: 'var(--mono)', fontSize: 'var(--text-table)', overflowWrap: 'anywhere' }}>
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
  /** The app is set up, and its recovery codes were saved. */
  readonly onDone: () => void;
};

/** The key to set up, fetched when the dialog opens; `retry` after a failure. */
function useOffer(onClose: () => void): { readonly offer: Offer | null; readonly failure: ApiFailure | null; readonly retry: () => void } {
  const [begin] = useBeginTotpMutation();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let gone = false;
    const fetchOffer = async () => {
      // Secrets must not stay in the store.
      const { data, error } = await forgetResult(begin());
      if (gone) return;
      if (data) setOffer(data);
      else if (isFailure(error)) {
        // Identity not proven, or set up elsewhere meanwhile: there is nothing to do here.
        if (error.code === 'reauth_required' || error.code === 'conflict') onClose();
        else setFailure(error);
      }
    };
    void fetchOffer();
    return () => {
      gone = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [attempt]);
  const retry = () => {
    setFailure(null);
    setAttempt(attempt + 1);
  };
  return { offer, failure, retry };
}

/** Sets up an authenticator app: a QR code to scan, a first code, and recovery codes if it is the first factor. */
export function TotpDialog({ onClose, onDone }: Props): ReactElement {
  const { t } = useTranslation('security');
  const [confirm] = useConfirmTotpMutation();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { offer, failure: offerFailure, retry } = useOffer(onClose);
  const form = useContractForm(Code, { defaultValues: { code: '' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ code }: z.output<typeof Code>) => forgetResult(confirm({ body: { code: digits(code) } })),
    onSuccess: ({ recoveryCodes }) => (recoveryCodes ? setCodes(recoveryCodes) : onDone()),
  });
  if (codes) return <RecoveryCodesDialog codes={codes} onKept={onDone} />;
  return (
    <FormDialog
      form={form}
      title={t('totp.setUp')}
      submitLabel={t('totp.confirm')}
      canSubmit={offer !== null}
      busyLabel={t('factors.busy')}
      cancelLabel={t('factors.cancel')}
      busy={busy}
      failure={offerFailure ?? failure}
      failureTitle={t('factors.failed')}
      onRetry={offerFailure ? retry : undefined}
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {!offerFailure && <OfferView offer={offer} />}
      {offer && (
        <TextField
          control={form.control}
          name="code"
          label={t('totp.code')}
          help={t('totp.codeHelp')}
          messages={{ wrong_code: t('totp.wrong'), pattern: t('totp.codeHelp'), required: t('totp.codeHelp') }}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          verbatim
          autoFocus
          onTyped={(typed) => {
            if (!busy && digits(typed).length === 6) void form.handleSubmit(submit)();
          }}
        />
      )}
    </FormDialog>
  );
}
