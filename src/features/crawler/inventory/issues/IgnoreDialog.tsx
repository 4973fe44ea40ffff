import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { IssueChange } from '@contract/crawler/inventorySchemas';
import { safeText } from '@contract/text';
import { DateField } from '@/ui/form/DateField';
import { FormDialog } from '@/ui/form/FormDialog';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useIssueChange } from './useIssueChange';

const Values = z.strictObject({ reason: safeText(500).pipe(z.string().min(1)), until: z.iso.date().nullable() });
type Values = z.output<typeof Values>;

/** Why issues are ignored, and until when. */
export function IgnoreDialog({
  crawlerId,
  select,
  count,
  onClose,
}: {
  readonly crawlerId: string;
  readonly select: IssueChange['select'];
  readonly count: number;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('inventory');
  const form = useContractForm(Values, { defaultValues: { reason: '', until: null } });
  const { change } = useIssueChange(crawlerId);
  const { submit, failure, busy } = useSubmit(form, {
    // Until the end of the day, where the reader is.
    send: ({ reason, until }: Values) =>
      change({ change: 'ignore', select, reason, until: until === null ? null : new Date(`${until}T23:59:59`).toISOString() }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('issue.ignoreTitle', { count })}
      lead={t('issue.ignoreLead')}
      submitLabel={t('issue.ignore')}
      busy={busy}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={form.control} name="reason" label={t('issue.reason')} autoFocus />
      <DateField control={form.control} name="until" label={t('issue.until')} help={t('issue.untilHelp')} optional nullable />
    </FormDialog>
  );
}
