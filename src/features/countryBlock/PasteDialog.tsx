import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { ReadNetworks } from '@contract/countryBlock/schemas';
import { countryBlockLimits } from '@contract/countryBlock/terms';
import { useFormat } from '@/lib/format';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useReadNetworksMutation } from './countryBlockApi';

const Pasted = z.object({ text: z.string().trim().min(1).max(countryBlockLimits.addressBytes) });

/** Lines that are no network, the first of them by number. */
function Refused({ result }: { readonly result: z.infer<typeof ReadNetworks> }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const format = useFormat();
  return (
    <Box role="status">
      <Typography variant="body2">
        {t('paste.read', { networks: format.number(result.networks.length), lines: format.number(result.lines), refused: format.number(result.refusedCount) })}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5, maxHeight: 200, overflow: 'auto', fontSize: 'var(--text-table)' }}>
        {result.refused.map(({ line, text, reason }, at) => (
          <li key={`${String(at)} ${String(line)}`}>{t(`paste.${reason}`, { line, text })}</li>
        ))}
      </Box>
    </Box>
  );
}

/** Reads pasted addresses and networks. If some lines are none, it lists them before the others are added. */
export function PasteDialog({
  siteId,
  onAdd,
  onClose,
}: {
  readonly siteId: string;
  readonly onAdd: (networks: readonly string[]) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('countryBlock');
  const form = useContractForm(Pasted, { defaultValues: { text: '' } });
  const [read, { data, reset }] = useReadNetworksMutation();
  const result = data !== undefined && data.refusedCount > 0 ? data : null;
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => read({ siteId, body }),
    onSuccess: (found) => found.refusedCount === 0 && onAdd(found.networks),
  });
  return (
    <FormDialog
      form={form}
      title={t('paste.title')}
      lead={t('paste.lead')}
      width="sm"
      submitLabel={result ? t('paste.addRest', { count: result.networks.length }) : t('paste.submit')}
      busy={busy}
      failure={failure}
      onSubmit={(input) => (result ? onAdd(result.networks) : submit(input))}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="text"
        label={t('paste.label')}
        messages={{ too_long: t('paste.tooMany', { max: countryBlockLimits.networks }) }}
        multiline
        minRows={6}
        maxRows={12}
        verbatim
        onTyped={() => reset()}
      />
      {result && <Refused result={result} />}
    </FormDialog>
  );
}
