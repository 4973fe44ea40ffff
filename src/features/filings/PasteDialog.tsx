import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { FoundNumber } from '@contract/filings/schemas';
import { numberExamples } from '@contract/filings/numbers';
import { filingLimits } from '@contract/filings/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { SubmitResult } from '@/ui/form/useSubmit';
import { RowList } from '@/ui/list/RowList';
import { Tag } from '@/ui/Tag';
import { useAddFilingMutation, useFindFilingNumbersMutation, useMoveFilingMutation } from './filingsApi';

const Input = z.object({ text: z.string().max(filingLimits.pasted), approved: z.boolean() });
type Found = readonly FoundNumber[];

function FoundNumbers({ rows }: { readonly rows: Found }): ReactElement {
  const { t } = useTranslation('filings');
  if (rows.length === 0) return <Typography variant="body2">{t('paste.none')}</Typography>;
  return (
    <RowList label={t('paste.found')}>
      {rows.map(({ kind, number, error, warnings, filing }) => (
        <Box component="li" key={number} sx={{ py: 1, borderBottom: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
          <Typography variant="body2" component="div">
            {number} <Tag tone={error === null ? 'good' : 'bad'}>{t(`kind.${kind}`)}</Tag> {filing !== null && <Tag>{t('paste.known')}</Tag>}
          </Typography>
          {error !== null && <Typography variant="caption">{t(`number.error.${error}`, { example: numberExamples[kind] })}</Typography>}
          {warnings.map((warning) => (
            <Typography key={warning} variant="caption" component="div" sx={{ color: 'text.secondary' }}>
              {t(`warning.${warning}`)}
            </Typography>
          ))}
        </Box>
      ))}
    </RowList>
  );
}

type Props = { readonly siteId: string; readonly domains: readonly string[]; readonly onClose: () => void };

/** Finds the numbers in whatever was pasted — text or HTML of a footer — and adds those that are new. */
export function PasteDialog({ siteId, domains, onClose }: Props): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const [find] = useFindFilingNumbersMutation();
  const [add] = useAddFilingMutation();
  const [move] = useMoveFilingMutation();
  const [found, setFound] = useState<Found | null>(null);
  const form = useContractForm(Input, { defaultValues: { text: '', approved: true } });
  const fresh = found?.filter(({ error, filing }) => error === null && filing === null) ?? [];

  async function addAll(approved: boolean): Promise<SubmitResult<number>> {
    for (const { kind, number, province } of fresh) {
      const added = await add({ siteId, body: { kind, number, province: province ?? 'BJ', domains: [...domains] } });
      if (added.error !== undefined) return { error: added.error };
      if (!approved) continue;
      const { id, revision } = added.data;
      const moved = await move({ siteId, id, revision, body: { to: 'approved' } });
      if (moved.error !== undefined) return { error: moved.error };
    }
    return { data: fresh.length };
  }
  const { submit, busy, failure } = useSubmit(form, {
    send: async ({ text, approved }): Promise<SubmitResult<number | Found>> => {
      if (found !== null) return addAll(approved);
      const { data, error } = await find({ siteId, body: { text } });
      return error === undefined ? { data: data.rows } : { error };
    },
    onSuccess: (result) => {
      if (typeof result !== 'number') return setFound(result);
      dispatch(noticeShown({ tone: 'good', message: { key: 'filings:done.pasted', values: { count: result } } }));
      return onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('paste.title')}
      lead={t('paste.lead')}
      submitLabel={found === null ? t('paste.find') : fresh.length === 0 ? null : t('paste.add', { count: fresh.length })}
      busy={busy}
      failure={failure}
      width="sm"
      confirmsDiscard={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {found === null ? (
        <TextField control={form.control} name="text" label={t('paste.text')} multiline minRows={6} maxRows={12} verbatim autoFocus />
      ) : (
        <>
          <FoundNumbers rows={found} />
          <div>
            <Button size="small" onClick={() => setFound(null)}>
              {t('paste.again')}
            </Button>
          </div>
          {fresh.length > 0 && <CheckField control={form.control} name="approved" label={t('paste.approved')} help={t('paste.approvedHelp')} />}
        </>
      )}
    </FormDialog>
  );
}
