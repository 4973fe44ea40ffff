import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderWhole } from '@contract/trades/ledger';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { FormDialog } from '../FormDialog';
import { useNotesForm } from './useNotesForm';

/** The fields that can still be edited on an order that is no longer a draft. */
export function NotesDialog({ order, onClose }: { readonly order: OrderWhole; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const { form, submit, busy, failure, stale } = useNotesForm(order, onClose);
  return (
    <FormDialog
      form={form}
      title={t('step.notes')}
      lead={t('form.notesLead')}
      submit={t('save')}
      busy={busy}
      failure={failure}
      wide
      onSubmit={submit}
      onClose={onClose}
    >
      {stale && (
        <StaleNotice
          differences={stale.differences.map(({ field, mine, theirs }) => ({ label: t(`form.${field}`), mine, theirs }))}
          onKeepMine={stale.keepMine}
          onTakeTheirs={stale.takeTheirs}
        />
      )}
      {(['note', 'memo'] as const).map((name) => (
        <TextField
          key={name}
          control={form.control}
          name={name}
          label={t(`form.${name}`)}
          help={t(`form.${name}Help`)}
          optional
          multiline
          minRows={2}
          maxRows={8}
          maxLength={1000}
          autoFocus={name === 'note'}
        />
      ))}
    </FormDialog>
  );
}
