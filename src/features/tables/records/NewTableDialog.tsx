import { Box, Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Typography } from '@mui/material';
import { useEffect, useId } from 'react';
import type { ReactElement } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { tableTemplates } from '@contract/tables/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { safeName } from '@contract/text';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormDraft } from '@/features/session/useFormDraft';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useAddTableMutation } from '../tablesApi';

const starts = ['blank', ...tableTemplates] as const;
const Input = z.object({ from: z.enum(starts), title: safeName(tableLimits.nameLength), drafts: z.boolean() });

type Props = {
  readonly siteId: string;
  readonly onClose: () => void;
  readonly onMade: (table: ContentTable) => void;
  /** Creates the table from a file. */ readonly onFile: () => void;
};

/** Creates a table, empty or from a template; the input survives closing the dialog by mistake. */
export const NewTableDialog = ({ siteId, onClose, onMade, onFile }: Props): ReactElement => {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const titleId = useId();
  const [add] = useAddTableMutation();
  const form = useContractForm(Input, { defaultValues: { from: 'blank', title: '', drafts: false } });
  const { drop } = useFormDraft(form, `new-table:${siteId}`);
  const from = useWatch({ control: form.control, name: 'from' });
  const { getValues, setValue } = form;
  useEffect(() => {
    // A template sets the title until another is typed.
    const now = getValues('title').trim();
    if (now !== '' && !tableTemplates.some((id) => now === t(`add.template.${id}`))) return;
    const template = tableTemplates.find((id) => id === from);
    setValue('title', template ? t(`add.template.${template}`) : '', { shouldDirty: true });
  }, [from, getValues, setValue, t]);
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ title, drafts, from: start }: z.output<typeof Input>) =>
      add({ siteId, body: { title, drafts, ...(start === 'blank' ? {} : { template: start, icon: start }) } }),
    onSuccess: (table) => {
      drop();
      dispatch(noticeShown({ tone: 'good', message: { key: 'tables:add.done', values: { name: table.title } } }));
      onMade(table);
    },
  });
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <Form form={form} onSubmit={submit}>
        <DialogTitle id={titleId}>{t('add.title')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
          {failure && <ErrorPanel title={t('failed')} failure={failure} />}
          <RadioCards
            control={form.control}
            name="from"
            label={t('add.from')}
            choices={starts.map((id) => ({
              value: id,
              label: id === 'blank' ? t('add.blank') : t(`add.template.${id}`),
              detail: id === 'blank' ? t('add.blankText') : t(`add.templateText.${id}`),
            }))}
          />
          <TextField control={form.control} name="title" label={t('add.name')} help={t('add.nameHelp')} maxLength={tableLimits.nameLength} />
          <Controller
            control={form.control}
            name="drafts"
            render={({ field }) => (
              <Box>
                <FormControlLabel
                  control={<Checkbox checked={field.value} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} />}
                  label={<Typography variant="body2">{t('add.drafts')}</Typography>}
                />
                <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
                  {t('add.draftsHelp')}
                </Typography>
              </Box>
            )}
          />
        </DialogContent>
        <DialogActions sx={{ padding: '8px 24px 16px', position: 'sticky', bottom: 0, bgcolor: 'background.paper', zIndex: 1 }}>
          <Button onClick={onFile} sx={{ mr: 'auto' }}>
            {t('add.fromFile')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy}>
            {t(busy ? 'add.creating' : 'add.create')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
