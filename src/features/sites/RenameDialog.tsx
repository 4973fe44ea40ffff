import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { safeName } from '@contract/text';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useChangeSiteMutation } from './sitesApi';

const Rename = z.object({ name: safeName(60) });

/** A new name, shown immediately: the dialog does not wait, and a refusal reverts the name with a notice. */
export default function RenameDialog({ site, onClose }: { readonly site: Site; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation(['siteChanges', 'sites']);
  const dispatch = useAppDispatch();
  const [change] = useChangeSiteMutation();
  const form = useContractForm(Rename, { defaultValues: { name: site.name } });

  const rename = async ({ name }: z.output<typeof Rename>) => {
    onClose();
    if (name === site.name) return;
    const { error } = await change({ siteId: site.id, revision: site.revision, body: { name } });
    if (!isFailure(error)) return;
    const current = error.current as Site | undefined;
    dispatch(
      noticeShown({ tone: 'bad', message: { key: 'siteChanges:rename.failed', values: { name: current?.name ?? site.name } }, requestId: error.requestId }),
    );
  };

  return (
    <FormDialog form={form} title={t('rename.title')} submitLabel={t('rename.save')} cancelLabel={t('rename.cancel')} onSubmit={rename} onClose={onClose}>
      <TextField control={form.control} name="name" label={t('rename.name')} maxLength={60} autoFocus autoComplete="off" />
    </FormDialog>
  );
}
