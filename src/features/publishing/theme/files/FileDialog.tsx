import { z } from 'zod';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isThemePath, themePathLength } from '@contract/publishing/themePaths';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { SubmitResult } from '@/ui/form/useSubmit';

/** The path of a new file, or a new path of one. `send` creates or renames it. */
export function FileDialog<R>({
  path,
  existing,
  send,
  onSuccess,
  onClose,
}: {
  /** Null: a new file. */
  readonly path: string | null;
  readonly existing: readonly string[];
  readonly send: (path: string) => Promise<SubmitResult<R>>;
  readonly onSuccess: (path: string, result: R) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const Values = z.object({
    path: z
      .string()
      .trim()
      .refine((one) => isThemePath(one) && (one === path || !existing.includes(one))),
  });
  const form = useContractForm(Values, { defaultValues: { path: path ?? 'parts/' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ path: to }: { readonly path: string }) => send(to),
    onSuccess: (result) => onSuccess(form.getValues('path').trim(), result),
  });
  const typed = form.watch('path').trim();
  const isTaken = typed !== path && existing.includes(typed);
  return (
    <FormDialog
      form={form}
      title={path === null ? t('theme.files.add') : t('theme.files.renameTitle', { path })}
      submitLabel={t(path === null ? 'theme.files.create' : 'theme.files.rename')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="path"
        label={t('theme.files.path')}
        help={t('theme.files.pathHelp')}
        messages={{ pattern: t(isTaken ? 'theme.files.takenPath' : 'theme.files.badPath'), required: t('theme.files.badPath') }}
        autoFocus
        verbatim
        maxLength={themePathLength}
      />
    </FormDialog>
  );
}
