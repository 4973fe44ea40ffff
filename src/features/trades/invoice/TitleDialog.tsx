import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { InvoiceTitle } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { SubmitResult } from '@/ui/form/useSubmit';
import { FormDialog } from '../FormDialog';
import { useAddTitleMutation, useChangeTitleMutation } from '../tradesApi';
import { useTradeNotices } from '../useTrades';
import { TitleFields } from './TitleFields';
import { TitleForm, blankTitle, typedTitle } from './titleForm';
import type { ReadTitle } from './titleForm';

/** Saves a new or changed title. */
export function TitleDialog({ title, onClose }: { /** null: a new one. */ readonly title: InvoiceTitle | null; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const notify = useTradeNotices();
  const [add] = useAddTitleMutation();
  const [change] = useChangeTitleMutation();
  const start = title ? { ...blankTitle, ...typedTitle(title) } : blankTitle;
  const form = useContractForm(TitleForm, { defaultValues: start });
  useFormDraft(form, `account.title.${title?.id ?? 'new'}`);

  const { submit, busy, failure } = useSubmit(form, {
    send: ({ type: _type, saveTitle: _saveTitle, ...body }: ReadTitle): Promise<SubmitResult<InvoiceTitle>> =>
      title ? change({ id: title.id, body }) : add({ body }),
    onSuccess: (saved) => {
      resetForm(form, start);
      notify.good('titles.saved', { title: saved.title });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t(title ? 'titles.edit' : 'titles.add')}
      submit={t('save')}
      busy={busy}
      failure={failure?.code === 'conflict' ? { ...failure, message: t('titles.conflict') } : failure}
      wide
      onSubmit={submit}
      onClose={onClose}
    >
      <TitleFields form={form} whole autoFocus />
    </FormDialog>
  );
}
