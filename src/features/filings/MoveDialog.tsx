import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Filing } from '@contract/filings/schemas';
import { filingStates, isNumbered } from '@contract/filings/states';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { DateField } from '@/ui/form/DateField';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useMoveFilingMutation } from './filingsApi';
import { nameOf, stateName } from './filingStatus';
import { NumberNote } from './NumberNote';

const Input = z.object({ to: z.enum(filingStates), number: z.string().max(60), on: z.iso.date().nullable(), note: z.string().max(1000) });

type Props = { readonly siteId: string; readonly row: Filing; readonly today: string; readonly onClose: () => void };

/** Records the next state of a filing; with the approval comes the number. */
export function MoveDialog({ siteId, row, today, onClose }: Props): ReactElement {
  const { t } = useTranslation('filings');
  const dispatch = useAppDispatch();
  const [move] = useMoveFilingMutation();
  const form = useContractForm(Input, { defaultValues: { to: row.next[0] ?? row.state, number: row.number, on: today, note: '' } });
  const [to, number] = useWatch({ control: form.control, name: ['to', 'number'] });
  const approves = to === 'approved' && !isNumbered(row.state);
  const { submit, busy, failure } = useSubmit(form, {
    send: ({ on, ...input }) => {
      const assigned = approves ? { number: input.number, ...(on === null ? {} : { on }) } : {};
      return move({ siteId, id: row.id, revision: row.revision, body: { to: input.to, note: input.note, ...assigned } });
    },
    onSuccess: (filing) => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'filings:done.moved', values: { name: nameOf(filing, t(`kind.${filing.kind}`)) } } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('move.title', { name: nameOf(row, t(`kind.${row.kind}`)) })}
      lead={t('move.lead', { state: t(`state.${stateName(row.state, row.kind)}`) })}
      submitLabel={t('move.submit')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        control={form.control}
        name="to"
        label={t('move.to')}
        help={t(`stateHelp.${to}`)}
        choices={row.next.map((value) => ({ value, label: t(`state.${stateName(value, row.kind)}`) }))}
      />
      {approves && (
        <>
          <TextField
            control={form.control}
            name="number"
            label={t('form.number')}
            autoComplete="off"
            maxLength={60}
            verbatim
            below={<NumberNote kind={row.kind} text={number} />}
          />
          <DateField control={form.control} name="on" label={t('form.approvedOn')} nullable />
        </>
      )}
      <TextField
        control={form.control}
        name="note"
        label={t('move.note')}
        help={t('move.noteHelp')}
        multiline
        minRows={2}
        maxRows={6}
        maxLength={1000}
        optional
      />
    </FormDialog>
  );
}
