import { Box, Button, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { RecordView } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import type { ViewShare } from '@contract/tables/shares';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { lifetimes, linkChange, linkStart, newLink } from '@/ui/form/linkInput';
import { PasswordField } from '@/ui/form/PasswordField';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { FormFields, FormParts, isFillable } from './FormParts';
import { useAddViewShareMutation, useChangeViewShareMutation } from './shareApi';
import { ShareInput, formOptions, formStart } from './shareInput';

/** Where the server names what this form calls otherwise. */
const serverPaths = { 'form.limit': 'limit', 'form.closedText': 'closedText', 'form.redirect': 'redirect', 'form.embeds': 'embeds' } as const;

/** Makes a link to a view, or changes one: its address stays. */
export const ShareForm = ({
  siteId,
  table,
  view,
  share,
  onSaved,
  onCancel,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly view: RecordView;
  /** null: a new one. */ readonly share: ViewShare | null;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [add, adding] = useAddViewShareMutation();
  const [change, changing] = useChangeViewShareMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(ShareInput, {
    defaultValues: {
      name: share?.name ?? view.title,
      ...linkStart(share),
      drafts: share?.drafts ?? false,
      download: share?.download ?? false,
      ...formStart(share?.form ?? null),
    },
  });
  const isForm = view.kind === 'form';
  const [password, publish] = useWatch({ control: form.control, name: ['password', 'publish'] });
  const submit = async (input: ShareInput) => {
    setFailure(null);
    const { name, drafts, download } = input;
    const fields = isForm ? { name, form: formOptions(input) } : { name, drafts, download };
    const { data, error } =
      share === null
        ? await add({ siteId, table: table.id, view: view.id, body: { ...fields, ...newLink(input) } })
        : await change({
            siteId,
            id: share.id,
            revision: share.revision,
            body: { ...fields, ...linkChange(input) },
          });
    if (data) {
      dispatch(noticeShown({ words: { key: 'tableTransfer:share.saved', values: { name } } }));
      onSaved();
    } else if (isFailure(error) && !setServerErrors(form, error, serverPaths)) setFailure(error);
  };
  const tick = (name: 'drop' | 'drafts' | 'download' | 'once' | 'publish', label: string, help?: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Box>
          <FormControlLabel
            control={<Checkbox size="small" checked={field.value} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} />}
            label={<Typography variant="body2">{label}</Typography>}
          />
          {help !== undefined && (
            <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
              {help}
            </Typography>
          )}
        </Box>
      )}
    />
  );
  const busy = adding.isLoading || changing.isLoading;
  return (
    <Form form={form} onSubmit={submit}>
      <Box sx={{ display: 'grid', gap: 2, pt: 2 }}>
        {isForm && <FormFields table={table} view={view} publish={publish} />}
        {failure && <ErrorPanel failure={failure} title={isStale(failure) ? t('share.stale') : t('share.failed')} />}
        <TextField
          control={form.control}
          name="name"
          label={t('share.name')}
          help={t(isForm ? 'share.form.nameHelp' : 'share.nameHelp')}
          maxLength={60}
          autoFocus
        />
        <SelectField
          control={form.control}
          name="lifetime"
          label={t('share.expires')}
          choices={lifetimes
            .filter((id) => id !== 'keep' || share?.expiresAt != null)
            .map((id) => ({
              value: id,
              label: id === 'keep' ? t('share.lifetimes.keep', { date: format.date(share?.expiresAt ?? '', { weekday: false }) }) : t(`share.lifetimes.${id}`),
            }))}
        />
        <Box>
          <PasswordField
            control={form.control}
            name="password"
            label={t('share.password')}
            help={t(share?.hasPassword === true ? 'share.passwordKept' : isForm ? 'share.form.passwordHelp' : 'share.passwordHelp')}
            words={{ pattern: t('share.passwordHelp'), too_short: t('share.passwordHelp') }}
            optional
            autoComplete="new-password"
          />
          {share?.hasPassword === true && password === '' && tick('drop', t('share.dropPassword'))}
        </Box>
        {isForm ? (
          <FormParts control={form.control} hasDrafts={table.drafts} tick={tick} />
        ) : (
          <>
            {table.drafts && tick('drafts', t('share.drafts'), t('share.draftsHelp'))}
            {tick('download', t('share.download'))}
          </>
        )}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button onClick={onCancel}>{t('share.cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy || (isForm && !isFillable(table, view, publish))}>
            {t(share === null ? 'share.make' : 'share.save')}
          </Button>
        </Box>
      </Box>
    </Form>
  );
};
