import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { publishingLimits } from '@contract/publishing/terms';
import { safeText } from '@contract/text';
import { DateField } from '@/ui/form/DateField';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { isTarget, redirectStatuses } from './redirectRules';
import type { Redirect } from './redirectRules';

const RedirectValues = z
  .strictObject({
    from: z.string().trim().max(publishingLimits.path).startsWith('/'),
    to: z.string().trim(),
    status: z.enum(redirectStatuses.map(String)),
    note: safeText(200),
    expiresOn: z.iso.date().nullable(),
  })
  .superRefine(({ to, status }, { addIssue }) => {
    if (status !== '410' && !isTarget(to)) addIssue({ code: 'custom', path: ['to'], message: encodeFieldError({ code: to === '' ? 'required' : 'pattern' }) });
  });
type RedirectValues = z.output<typeof RedirectValues>;

/** A redirect that is edited, or a new one (null). */
export function RedirectDialog({
  redirect,
  path = '',
  onClose,
  onDone,
}: {
  readonly redirect: Redirect | null;
  /** Path of a new one. */
  readonly path?: string;
  readonly onClose: () => void;
  readonly onDone: (redirect: Redirect) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(RedirectValues, {
    defaultValues: {
      from: redirect?.from ?? path,
      to: redirect?.to ?? '',
      status: String(redirect?.status ?? 301),
      note: redirect?.note ?? '',
      expiresOn: redirect?.expiresOn ?? null,
    },
  });
  const { control } = form;
  const isGone = useWatch({ control, name: 'status' }) === '410';
  const submit = ({ from, to, status, note, expiresOn }: RedirectValues): void => {
    const chosen = redirectStatuses.find((one) => String(one) === status) ?? 301;
    onDone({ from, to: chosen === 410 ? '' : to, status: chosen, origin: redirect?.origin ?? 'person', note, expiresOn });
  };
  return (
    <FormDialog
      form={form}
      title={t(redirect ? 'redirect.editTitle' : 'redirect.addTitle')}
      submitLabel={t(redirect ? 'menu.apply' : 'menu.addSubmit')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={control}
        name="from"
        label={t('redirect.from')}
        help={t('redirect.fromHelp')}
        verbatim
        autoFocus
        placeholder="/old"
        messages={{ pattern: t('redirect.fromPattern') }}
      />
      <SelectField
        control={control}
        name="status"
        label={t('redirect.status')}
        choices={redirectStatuses.map((one) => ({ value: String(one), label: t(`redirect.kind.code${one}`) }))}
      />
      {!isGone && (
        <TextField
          control={control}
          name="to"
          label={t('redirect.to')}
          help={t('redirect.toHelp')}
          verbatim
          placeholder="/new"
          messages={{ pattern: t('redirect.toPattern') }}
        />
      )}
      <DateField control={control} name="expiresOn" label={t('redirect.expiresOn')} help={t('redirect.expiresHelp')} optional nullable />
      <TextField control={control} name="note" label={t('redirect.note')} optional maxLength={200} />
    </FormDialog>
  );
}
