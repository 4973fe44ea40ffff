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

type Picked = PickedFile<keyof typeof types>;

/** The form, which a pasted element or a chosen file fills by itself. */
function useProofForm() {
  const [file, setFile] = useState<Picked | null>(null);
  const form = useContractForm(VerificationInput, { defaultValues: { service: 'google', method: 'meta', name: '', content: '' } });
  const readName = (name: string) => {
    const found = serviceOfFile(name.trim());
    if (found !== null) form.setValue('service', found);
  };
  return {
    form,
    file,
    readName,
    readElement: (text: string) => {
      const found = readMetaElement(text)?.service;
      if (found) form.setValue('service', found);
    },
    chooseMethod: (next: VerificationMethod) => {
      form.setValue('method', next);
      form.setValue('content', '');
      form.clearErrors();
    },
    pick: (picked: Picked | null) => {
      setFile(picked);
      form.setValue('name', picked?.name ?? '', { shouldDirty: true });
      form.setValue('content', picked === null ? '' : textOf(picked.content), { shouldDirty: true });
      form.clearErrors();
      if (picked !== null) readName(picked.name);
    },
  };
}
type ProofForm = ReturnType<typeof useProofForm>;

/** Name and content of a file; services that derive the content from the name need only that. */
function FileFields({ proof: { form, file, pick, readName } }: { readonly proof: ProofForm }): ReactElement {
  const { t } = useTranslation('seo');
  const isDerived = verificationRules[form.watch('service')].content !== undefined;
  return (
    <>
      <FileField label={t('verification.file')} optional types={types} mostBytes={verificationSizes.file} value={file} onPick={pick} />
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
      {!isDerived && (
        <TextField
          control={form.control}
          name="content"
          label={t('verification.content')}
          maxLength={verificationSizes.file}
          multiline
          minRows={3}
          maxRows={8}
          verbatim
        />
      )}
    </>
  );
}

/** Adds a proof. A pasted meta element or a downloaded file says by itself which service it belongs to. */
export function AddDialog({ siteId, onClose }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const [add] = useAddVerificationMutation();
  const proof = useProofForm();
  const { form, chooseMethod, readElement } = proof;
  const method = form.watch('method');
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => add({ siteId, body }),
    onSuccess: ({ name }) => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'seo:verification.added', values: { name } } }));
      onClose();
    },
  });
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
        onChoose={chooseMethod}
      />
      <SelectField
        control={form.control}
        name="service"
        label={t('verification.serviceLabel')}
        choices={verificationServices
          .filter((one) => verificationRules[one][method] !== null)
          .map((value) => ({ value, label: t(`verification.service.${value}`) }))}
      />
      {method === 'file' ? (
        <FileFields proof={proof} />
      ) : (
        <TextField
          control={form.control}
          name="content"
          label={t('verification.element')}
          help={t('verification.elementHelp')}
          messages={{ pattern: t('verification.wrongElement'), duplicate: t('verification.twice') }}
          maxLength={verificationSizes.file}
          multiline
          minRows={3}
          maxRows={8}
          verbatim
          onTyped={readElement}
        />
      )}
    </FormDialog>
  );
}
