import { z } from 'zod';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceFolder } from '@contract/resources/schemas';
import { resourceLimits } from '@contract/resources/terms';
import { safeName } from '@contract/text';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { folderChoices } from './folderTree';
import { useAddResourceFolderMutation, useChangeResourceFolderMutation } from './resourcesApi';

/** `parent`: an id, or empty for the outermost folders. */
const FolderValues = z.object({ name: safeName(resourceLimits.name), parent: z.string() });

/** Adds a folder, or renames and moves one. */
export function FolderDialog({
  siteId,
  folders,
  folder,
  parentId,
  onClose,
}: {
  readonly siteId: string;
  readonly folders: readonly ResourceFolder[];
  /** null: a new one. */
  readonly folder: ResourceFolder | null;
  readonly parentId: string | null;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('resources');
  const form = useContractForm(FolderValues, { defaultValues: { name: folder?.name ?? '', parent: parentId ?? '' } });
  const [add] = useAddResourceFolderMutation();
  const [change] = useChangeResourceFolderMutation();
  const { submit, busy, failure } = useSubmit(form, {
    send: async ({ name, parent }: z.output<typeof FolderValues>) => {
      const body = { name, parentId: parent === '' ? null : parent };
      return folder === null ? add({ siteId, body }) : change({ siteId, id: folder.id, body });
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={folder === null ? t('folder.add') : t('folder.editTitle', { name: folder.name })}
      submitLabel={t('folder.save')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label={t('folder.name')} autoFocus maxLength={resourceLimits.name} />
      <SelectField
        control={form.control}
        name="parent"
        label={t('folder.parent')}
        choices={[{ value: '', label: t('folder.top') }, ...folderChoices(folders, folder?.id).map(({ id, path }) => ({ value: id, label: path }))]}
      />
    </FormDialog>
  );
}
