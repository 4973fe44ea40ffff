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
import { folderChoices } from './folderTree';
import { splitTags } from './tagText';

type Props = { readonly count: number; readonly onClose: () => void };

const MoveValues = z.object({ folder: z.string() });

/** Asks for the folder into which resources are moved. `current`: id of the folder that is open, if one is. */
export function MoveDialog({
  count,
  folders,
  current,
  onMove,
  onClose,
}: Props & {
  readonly folders: readonly ResourceFolder[];
  readonly current: string;
  /** Resolves to whether they were moved; otherwise the dialog stays open. */
  readonly onMove: (folder: ResourceFolder | null) => Promise<boolean>;
}): ReactElement {
  const { t } = useTranslation('resources');
  const form = useContractForm(MoveValues, { defaultValues: { folder: folders.some(({ id }) => id === current) ? current : '' } });
  const choices = [{ value: '', label: t('folder.none') }, ...folderChoices(folders).map(({ id, path }) => ({ value: id, label: path }))];
  return (
    <FormDialog
      form={form}
      title={t('move.title', { count })}
      submitLabel={t('move.do')}
      busy={form.formState.isSubmitting}
      onSubmit={async ({ folder }) => {
        if (await onMove(folders.find(({ id }) => id === folder) ?? null)) onClose();
      }}
      onClose={onClose}
    >
      <SelectField control={form.control} name="folder" label={t('move.folder')} choices={choices} />
    </FormDialog>
  );
}

const tagList = z.string().pipe(z.preprocess((text) => splitTags(text), z.array(safeName(resourceLimits.tag)).max(resourceLimits.tags)));
const TagValues = z.object({ add: tagList, remove: tagList });

/** Asks for the tags that resources get and lose. */
export function TagDialog({
  count,
  onTag,
  onClose,
}: Props & {
  /** Resolves to whether the tags were changed; otherwise the dialog stays open. */
  readonly onTag: (add: readonly string[], remove: readonly string[]) => Promise<boolean>;
}): ReactElement {
  const { t } = useTranslation('resources');
  const form = useContractForm(TagValues, { defaultValues: { add: '', remove: '' } });
  return (
    <FormDialog
      form={form}
      title={t('tags.title', { count })}
      lead={t('tags.help')}
      submitLabel={t('tags.do')}
      busy={form.formState.isSubmitting}
      onSubmit={async ({ add, remove }) => {
        if (add.length + remove.length === 0 || (await onTag(add, remove))) onClose();
      }}
      onClose={onClose}
    >
      <TextField control={form.control} name="add" label={t('tags.add')} optional autoFocus />
      <TextField control={form.control} name="remove" label={t('tags.remove')} optional />
    </FormDialog>
  );
}
