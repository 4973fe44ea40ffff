import { Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { seoLimits } from '@contract/seo/terms';
import { useFormat } from '@/lib/format';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { readPasted } from './bulk';
import { TextList } from './TextList';
import type { BulkChange } from './useBulkChange';

const Input = z.object({ text: z.string().max(1_000_000) });
/** Refused lines that are named. */
const mostNamed = 10;

/** Takes titles and descriptions from a spreadsheet, in the language of the list. */
export function PasteDialog({ origin, change, onClose }: { readonly origin: string; readonly change: BulkChange; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const form = useContractForm(Input, { defaultValues: { text: '' } });
  const { rows, refused } = readPasted(useWatch({ control: form.control, name: 'text' }), origin);
  const fits = rows.length <= seoLimits.changed;
  const { submit, busy, failure } = useSubmit(form, { send: () => change(rows), onSuccess: onClose });
  return (
    <FormDialog
      form={form}
      title={t('pages.bulk.pasteTitle')}
      lead={t('pages.bulk.pasteLead')}
      submitLabel={
        rows.length === 0 ? t('pages.bulk.pasteNothing') : t('pages.bulk.pasteSubmit', { count: rows.length, countText: format.number(rows.length) })
      }
      canSubmit={rows.length > 0 && fits}
      busy={busy}
      failure={failure}
      width="md"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="text"
        label={t('pages.bulk.pasteText')}
        placeholder={'/about\tTitle\tDescription'}
        multiline
        minRows={6}
        maxRows={12}
        verbatim
        autoFocus
      />
      {!fits && (
        <Typography variant="body2" role="alert">
          {t('pages.bulk.tooMany', { countText: format.number(seoLimits.changed) })}
        </Typography>
      )}
      {refused.length > 0 && (
        <Typography variant="body2" role="status">
          {t('pages.bulk.refused', { count: refused.length, lines: format.list(refused.slice(0, mostNamed).map(String)) })}
        </Typography>
      )}
      <TextList rows={rows} />
    </FormDialog>
  );
}
