import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { HostnameInput } from '@contract/hostnames/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useAddHostnameMutation } from './hostnamesApi';

type Props = { readonly siteId: string; readonly onClose: () => void; /** With the id of the hostname. */ readonly onAdded: (id: string) => void };

/** Adds a hostname, and usually its pair with or without `www.`. Only the host of a pasted address is used, and a notice says so. */
export function AddDialog({ siteId, onClose, onAdded }: Props): ReactElement {
  const { t } = useTranslation('hostnames');
  const dispatch = useAppDispatch();
  const [add] = useAddHostnameMutation();
  const form = useContractForm(HostnameInput, { defaultValues: { host: '', withPair: true } });
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => add({ siteId, body }),
    onSuccess: ({ added, reduced }) => {
      const host = added[0]?.unicode ?? '';
      dispatch(
        noticeShown({ tone: reduced ? 'info' : 'good', message: { key: reduced ? 'hostnames:done.reduced' : 'hostnames:done.added', values: { host } } }),
      );
      onAdded(added[0]?.id ?? '');
    },
  });
  return (
    <FormDialog form={form} title={t('addTitle')} submitLabel={t('addSubmit')} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
      <TextField
        control={form.control}
        name="host"
        label={t('host')}
        help={t('hostHelp')}
        placeholder="www.example.com"
        messages={{ duplicate: t('hostTaken') }}
        inputMode="url"
        autoComplete="off"
        autoFocus
        verbatim
        maxLength={2000}
      />
      <CheckField control={form.control} name="withPair" label={t('withPair')} help={t('withPairHelp')} />
    </FormDialog>
  );
}
