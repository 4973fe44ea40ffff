import { Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { safeName } from '@contract/text';
import { noticeShown } from '@/features/notices/noticesSlice';
import { loadPasskeys, makePasskey, passkeysWork } from '@/lib/passkeys';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useAddPasskeyMutation, usePasskeyOptionsMutation } from '../securityApi';
import { RecoveryCodesDialog } from './RecoveryCodesDialog';

const Name = z.object({ name: safeName(40) });

/** The common name of this device, from the user agent; empty if unknown. */
function deviceName(agent: string): string {
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'CrOS', 'Linux'].find((word) => agent.includes(word)) ?? '';
  return { Macintosh: 'Mac', CrOS: 'Chromebook' }[known] ?? known;
}

/** `Mac`, or `Mac 2` if that name exists. */
function freeName(name: string, existing: readonly string[]): string {
  for (let n = 1; ; n += 1) {
    const one = n === 1 ? name : `${name} ${String(n)}`;
    if (!existing.includes(one)) return one;
  }
}

type Trouble = 'cancelled' | 'exists' | 'refused' | 'full';
type Props = {
  /** Names of the existing passkeys. */
  readonly existing?: readonly string[];
  readonly onClose: () => void;
  /** The passkey exists, and its recovery codes were saved. */
  readonly onDone: () => void;
};

const none: readonly string[] = [];

/** Adds a passkey under a name; recovery codes are issued if it is the first factor. */
export function PasskeyDialog({ existing = none, onClose, onDone }: Props): ReactElement {
  const { t } = useTranslation('security');
  const dispatch = useAppDispatch();
  const [begin] = usePasskeyOptionsMutation();
  const [add] = useAddPasskeyMutation();
  const [busy, setBusy] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Name, { defaultValues: { name: freeName(deviceName(navigator.userAgent) || t('passkey.thisDevice'), existing) } });
  useEffect(() => void loadPasskeys().catch(() => undefined), []);

  const refuse = (error: unknown) => {
    if (!isFailure(error)) return;
    if (error.code === 'bad_code') setTrouble('refused');
    else if (error.code === 'conflict') setTrouble('full');
    else if (!setServerErrors(form, error)) setFailure(error);
  };
  const attempt = async (name: string): Promise<void> => {
    const begun = await begin();
    if (!begun.data) return refuse(begun.error);
    const passkey = await makePasskey(begun.data.options);
    if (!passkey.ok) return setTrouble(passkey.trouble === 'failed' ? 'refused' : passkey.trouble);
    const call = add({ body: { challengeId: begun.data.challengeId, response: passkey.response, name } });
    const { data, error } = await call;
    // Secrets must not stay in the store.
    call.reset();
    if (!data) return refuse(error);
    dispatch(noticeShown({ tone: 'good', message: { key: 'security:passkey.added', values: { name: data.passkey.name } } }));
    if (data.recoveryCodes) setCodes(data.recoveryCodes);
    else onDone();
  };
  const submit = async ({ name }: z.output<typeof Name>) => {
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    setFailure(null);
    await attempt(name);
    setBusy(false);
  };
  if (codes) return <RecoveryCodesDialog codes={codes} onKept={onDone} />;
  return (
    <FormDialog
      form={form}
      title={t('passkey.addNamed')}
      lead={t('passkey.lead')}
      submitLabel={passkeysWork() ? t('passkey.start') : null}
      busyLabel={t('passkey.waiting')}
      cancelLabel={t('factors.cancel')}
      busy={busy}
      failure={failure}
      failureTitle={t('factors.failed')}
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {trouble && (
        <Typography role="alert" variant="body2" sx={{ color: 'error.main' }}>
          {t(`passkey.${trouble}`)}
        </Typography>
      )}
      {passkeysWork() ? (
        <TextField control={form.control} name="name" label={t('passkey.name')} help={t('passkey.nameHelp')} maxLength={40} autoFocus />
      ) : (
        <Typography variant="body2">{t('passkey.unsupported')}</Typography>
      )}
    </FormDialog>
  );
}
