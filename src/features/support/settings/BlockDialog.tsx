import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { BlockKind } from '@contract/support/terms';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useAddSupportBlockMutation } from '../supportApi';
import { offerBlockUndo } from './blockUndo';

/** Days after which a block ends; `0`: never. */
const durations = ['1', '7', '30', '0'] as const;
const Input = z.object({ choice: z.string(), value: z.string().trim().max(254), days: z.enum(durations), reason: z.string().max(200) });

export type BlockChoice = { readonly kind: BlockKind; readonly value: string };

/** Blocks a visitor, a network or an e-mail address. `choices`: what is known; without any, kind and value are typed. */
export function BlockDialog({
  siteId,
  choices,
  onClose,
}: {
  readonly siteId: string;
  readonly choices: readonly BlockChoice[];
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('support');
  const dispatch = useAppDispatch();
  const [add] = useAddSupportBlockMutation();
  const typed = choices.length === 0;
  const form = useContractForm(Input, { defaultValues: { choice: typed ? 'network' : '0', value: '', days: '30', reason: '' } });
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ choice, value, days, reason }) => {
      const known = choices[Number(choice)];
      const what = known ?? { kind: choice === 'email' ? ('email' as const) : ('network' as const), value };
      const until = days === '0' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      return add({ siteId, body: { ...what, reason, until } });
    },
    onSuccess: ({ id }) => {
      offerBlockUndo(dispatch, { key: 'support:block.added' }, { siteId, id });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('block.title')}
      lead={t('block.lead')}
      submitLabel={t('block.submit')}
      danger
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        control={form.control}
        name="choice"
        label={t('block.what')}
        choices={
          typed
            ? (['network', 'email'] as const).map((kind) => ({ value: kind, label: t(`block.kind.${kind}`) }))
            : choices.map(({ kind, value }, at) => ({ value: String(at), label: t(`block.kind.${kind}`), ...(kind !== 'visitor' && { detail: value }) }))
        }
      />
      {typed && <TextField control={form.control} name="value" label={t('block.value')} help={t('block.valueHelp')} verbatim />}
      <SelectField
        control={form.control}
        name="days"
        label={t('block.until')}
        choices={durations.map((days) => ({ value: days, label: t(`block.days.${days}`) }))}
      />
      <TextField control={form.control} name="reason" label={t('block.reason')} optional maxLength={200} />
    </FormDialog>
  );
}
