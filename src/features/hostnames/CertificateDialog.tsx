import { Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CertificateInput } from '@contract/hostnames/schemas';
import type { Hostname } from '@contract/hostnames/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useRemoveCertificateMutation, useUploadCertificateMutation } from './hostnamesApi';

/** Uploads a certificate with its key, or removes the uploaded one. The key is never sent back. */
export function CertificateDialog({ siteId, row, onClose }: { readonly siteId: string; readonly row: Hostname; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('hostnames');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [upload] = useUploadCertificateMutation();
  const [remove, { isLoading: isRemoving }] = useRemoveCertificateMutation();
  const form = useContractForm(CertificateInput, { defaultValues: { chain: '', key: '' } });
  const finish = (key: 'uploaded' | 'certificateRemoved'): void => {
    dispatch(noticeShown({ tone: 'good', message: { key: `hostnames:done.${key}`, values: { host: row.unicode } } }));
    onClose();
  };
  const { submit, busy, failure } = useSubmit(form, { send: (body) => upload({ siteId, id: row.id, body }), onSuccess: () => finish('uploaded') });
  const removeUploaded = async (): Promise<void> => {
    const question = { title: t('upload.removeTitle', { host: row.unicode }), body: t('upload.removeText'), confirm: t('upload.remove'), danger: true };
    if (!(await confirm(question))) return;
    const { error } = await remove({ siteId, id: row.id });
    if (error !== undefined) notifyFailure(dispatch, error);
    else finish('certificateRemoved');
  };
  return (
    <FormDialog
      form={form}
      title={t('upload.title', { host: row.unicode })}
      lead={t('upload.lead')}
      submitLabel={t('upload.submit')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="chain" label={t('upload.chain')} help={t('upload.chainHelp')} multiline minRows={5} maxRows={10} verbatim />
      <TextField control={form.control} name="key" label={t('upload.key')} help={t('upload.keyHelp')} multiline minRows={4} maxRows={8} verbatim />
      {row.uploaded && (
        <Typography variant="body2" component="div">
          {t('upload.present')}{' '}
          <Button size="small" color="error" disabled={isRemoving} onClick={() => void removeUploaded()}>
            {t('upload.remove')}
          </Button>
        </Typography>
      )}
    </FormDialog>
  );
}
