import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { publishingLimits } from '@contract/publishing/terms';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { isTarget, readRedirects, redirectStatuses } from './redirectRules';
import type { Redirect } from './redirectRules';

const RedirectValues = z
  .strictObject({
    from: z.string().trim().max(publishingLimits.path).startsWith('/'),
    to: z.string().trim(),
    status: z.enum(redirectStatuses.map(String)),
  })
  .superRefine(({ to, status }, { addIssue }) => {
    if (status !== '410' && !isTarget(to)) addIssue({ code: 'custom', path: ['to'], message: encodeFieldError({ code: to === '' ? 'required' : 'pattern' }) });
  });
type RedirectValues = z.output<typeof RedirectValues>;

/** A redirect that is edited, or a new one (null). */
export function RedirectDialog({
  redirect,
  onClose,
  onDone,
}: {
  readonly redirect: Redirect | null;
  readonly onClose: () => void;
  readonly onDone: (redirect: Redirect) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(RedirectValues, {
    defaultValues: { from: redirect?.from ?? '', to: redirect?.to ?? '', status: String(redirect?.status ?? 301) },
  });
  const { control } = form;
  const isGone = useWatch({ control, name: 'status' }) === '410';
  const submit = ({ from, to, status }: RedirectValues): void => {
    const chosen = redirectStatuses.find((one) => String(one) === status) ?? 301;
    onDone({ from, to: chosen === 410 ? '' : to, status: chosen });
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
    </FormDialog>
  );
}

const Pasted = z.strictObject({ text: z.string().trim().min(1) });

/** Many redirects at once, one per line. */
export function PasteDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: (redirects: readonly Redirect[]) => void }): ReactElement {
  const { t } = useTranslation('publishing');
  const form = useContractForm(Pasted, { defaultValues: { text: '' } });
  const { redirects, errors } = readRedirects(useWatch({ control: form.control, name: 'text' }));
  return (
    <FormDialog
      form={form}
      title={t('redirect.paste')}
      lead={t('redirect.pasteLead')}
      submitLabel={t('redirect.addMany', { count: redirects.length })}
      canSubmit={redirects.length > 0}
      width="md"
      onSubmit={() => onDone(redirects)}
      onClose={onClose}
    >
      <div className="publishing-code">
        <TextField
          control={form.control}
          name="text"
          label={t('redirect.lines')}
          multiline
          minRows={8}
          maxRows={16}
          verbatim
          autoFocus
          placeholder={'/old /new\n/blog/* /news/:splat\n/gone 410'}
        />
      </div>
      {errors.length > 0 && (
        <div role="status" className="publishing-failure">
          {t('redirect.unreadable', { count: errors.length })}
          <ul>
            {errors.slice(0, 10).map(({ line, text }) => (
              <li key={line}>{t('redirect.line', { line, text })}</li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}
