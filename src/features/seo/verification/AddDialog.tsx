import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { verificationMethods, verificationServices } from '@contract/seo/terms';
import type { VerificationMethod } from '@contract/seo/terms';
import { readMetaElement, serviceOfFile, verificationRules, verificationSizes } from '@contract/seo/verification';
import { VerificationInput } from '@contract/seo/verificationSchemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { FileField } from '@/ui/form/FileField';
import type { PickedFile } from '@/ui/form/FileField';
import { FormDialog } from '@/ui/form/FormDialog';
import { Segmented } from '@/ui/form/Segmented';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useAddVerificationMutation } from './verificationApi';

type Props = { readonly siteId: string; readonly onClose: () => void };

const types = { html: ['html'], xml: ['xml'], txt: ['txt'] } as const;
const textOf = (base64: string): string => new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0));

/** Adds a proof. A pasted meta element or a downloaded file says by itself which service it belongs to. */
export function AddDialog({ siteId, onClose }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const [add] = useAddVerificationMutation();
  const [file, setFile] = useState<PickedFile<keyof typeof types> | null>(null);
  const form = useContractForm(VerificationInput, { defaultValues: { service: 'google', method: 'meta', name: '', content: '' } });
  const [service, method] = form.watch(['service', 'method']);
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => add({ siteId, body }),
    onSuccess: ({ name }) => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'seo:verification.added', values: { name } } }));
      onClose();
    },
  });
  const choose = (next: VerificationMethod) => {
    form.setValue('method', next);
    form.setValue('content', '');
    form.clearErrors();
  };
  const readName = (name: string) => {
    const found = serviceOfFile(name.trim());
    if (found !== null) form.setValue('service', found);
  };
  const readElement = (text: string) => {
    const found = readMetaElement(text)?.service;
    if (found) form.setValue('service', found);
  };
  const pick = (picked: PickedFile<keyof typeof types> | null) => {
    setFile(picked);
    form.setValue('name', picked?.name ?? '', { shouldDirty: true });
    form.setValue('content', picked === null ? '' : textOf(picked.content), { shouldDirty: true });
    form.clearErrors();
    if (picked !== null) readName(picked.name);
  };
  const isDerived = verificationRules[service].content !== undefined;
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t('verification.add')}
      submitLabel={t('verification.submit')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segmented
        label={t('verification.methodLabel')}
        value={method}
        choices={verificationMethods.map((value) => ({ value, label: t(`verification.method.${value}`) }))}
        onChoose={choose}
      />
      {method === 'file' && <FileField label={t('verification.file')} optional types={types} mostBytes={verificationSizes.file} value={file} onPick={pick} />}
      <SelectField
        control={form.control}
        name="service"
        label={t('verification.serviceLabel')}
        choices={verificationServices
          .filter((one) => verificationRules[one][method] !== null)
          .map((value) => ({ value, label: t(`verification.service.${value}`) }))}
      />
      {method === 'file' && (
        <TextField
          control={form.control}
          name="name"
          label={t('verification.name')}
          help={t('verification.nameHelp')}
          messages={{ pattern: t('verification.wrongName'), duplicate: t('verification.twice') }}
          maxLength={120}
          verbatim
          onTyped={readName}
        />
      )}
      {!(method === 'file' && isDerived) && (
        <TextField
          control={form.control}
          name="content"
          label={t(method === 'file' ? 'verification.content' : 'verification.element')}
          help={method === 'meta' ? t('verification.elementHelp') : undefined}
          messages={{ pattern: t('verification.wrongElement'), duplicate: t('verification.twice') }}
          maxLength={verificationSizes.file}
          multiline
          minRows={3}
          maxRows={8}
          verbatim
          {...(method === 'meta' && { onTyped: readElement })}
        />
      )}
    </FormDialog>
  );
}
