import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { NotFoundPath } from '@contract/seo/redirectSchemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useRedirectNotFoundMutation, useSuggestTargetsQuery } from '../redirects/redirectsApi';

const Values = z.strictObject({
  to: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .regex(/^(?:\/(?![/\\])|https?:\/\/[^\s/]+)/i),
});

/** Leads a path without a page to another one. Redirects go live at once, everything else that is not published stays as it is. */
export function RedirectPathDialog({
  siteId,
  row,
  onClose,
}: {
  readonly siteId: string;
  readonly row: NotFoundPath;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const form = useContractForm(Values, { defaultValues: { to: row.suggestion?.path ?? '' } });
  const { data: suggestions } = useSuggestTargetsQuery({ siteId, path: row.path });
  const [redirect] = useRedirectNotFoundMutation();
  const { submit, failure, busy } = useSubmit(form, {
    send: ({ to }: z.output<typeof Values>) => redirect({ siteId, body: { path: row.path, to } }),
    onSuccess: () => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'seo:notFound.redirected' } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('notFound.redirectTitle')}
      lead={t('notFound.redirectLead', { path: row.path })}
      submitLabel={t('notFound.redirectNow')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="to" label={t('notFound.target')} help={t('notFound.targetHelp')} verbatim autoFocus placeholder="/new" />
      {suggestions && suggestions.rows.length > 0 && (
        <div role="group" aria-label={t('notFound.similar')}>
          <p>{t('notFound.similar')}</p>
          {suggestions.rows.map(({ path, title }) => (
            <Button key={path} onClick={() => form.setValue('to', path, { shouldDirty: true, shouldValidate: true })}>
              {title === '' ? path : t('robots.titleAndPath', { title, path })}
            </Button>
          ))}
        </div>
      )}
    </FormDialog>
  );
}
