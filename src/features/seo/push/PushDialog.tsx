import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { pushEngines, seoLimits } from '@contract/seo/terms';
import type { PushEngine } from '@contract/seo/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { usePushNowMutation } from './pushApi';

type Props = { readonly siteId: string; readonly engines: readonly PushEngine[]; readonly onClose: () => void };

const Lines = z.object({ engine: z.enum(pushEngines), lines: z.string().trim().min(1) });
const addressesOf = (lines: string): string[] => [...new Set(lines.split(/\s+/).filter((line) => line !== ''))].slice(0, seoLimits.pushBatch);

/** Pushes addresses that somebody chooses, one in each line. */
export function PushDialog({ siteId, engines, onClose }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const [push] = usePushNowMutation();
  const form = useContractForm(Lines, { defaultValues: { engine: engines[0] ?? 'indexnow', lines: '' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ engine, lines }) => push({ siteId, body: { engine, addresses: addressesOf(lines) } }),
    fieldsAt: { addresses: 'lines' },
    onSuccess: ({ queued, refused }) => {
      if (refused.length > 0 && queued === 0) return form.setError('lines', { type: 'server', message: 'unknown' });
      const key = refused.length === 0 ? 'seo:push.queued' : 'seo:push.queuedSome';
      dispatch(noticeShown({ tone: refused.length === 0 ? 'good' : 'warning', message: { key, values: { count: queued, refused: refused.length } } }));
      onClose();
    },
  });
  return (
    <FormDialog form={form} width="sm" title={t('push.now')} submitLabel={t('push.submit')} busy={busy} failure={failure} onSubmit={submit} onClose={onClose}>
      <SelectField
        control={form.control}
        name="engine"
        label={t('push.column.engine')}
        choices={engines.map((value) => ({ value, label: t(`push.engine.${value}`) }))}
      />
      <TextField
        control={form.control}
        name="lines"
        label={t('push.addresses')}
        help={t('push.addressesHelp', { count: seoLimits.pushBatch })}
        messages={{ unknown: t('push.foreign') }}
        multiline
        minRows={4}
        maxRows={12}
        verbatim
        autoFocus
      />
    </FormDialog>
  );
}
