import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { InvoiceTitle } from '@contract/trades/ledger';
import { useFormDraft } from '@/features/session/useFormDraft';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { FormDialog } from '../FormDialog';
import { useAddTitleMutation, useChangeTitleMutation } from '../tradesApi';
import { useTell } from '../useTrades';
import { TitleFields } from './TitleFields';
import { TitleForm, blankTitle, typedTitle } from './titleForm';
import type { ReadTitle } from './titleForm';

/** Saves a new or changed title. */
export function TitleDialog({ title, onClose }: { /** null: a new one. */ readonly title: InvoiceTitle | null; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('trades');
  const tell = useTell();
  const [add, adding] = useAddTitleMutation();
  const [change, changing] = useChangeTitleMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const start = title ? { ...blankTitle, ...typedTitle(title) } : blankTitle;
  const form = useContractForm(TitleForm, { defaultValues: start });
  useFormDraft(form, `account.title.${title?.id ?? 'new'}`);

  const submit = async ({ type: _type, saveTitle: _save, ...body }: ReadTitle) => {
    setFailure(null);
    const { data, error } = title ? await change({ id: title.id, body }) : await add({ body });
    if (!data) {
      if (isFailure(error) && !setServerErrors(form, error)) setFailure(error.code === 'conflict' ? { ...error, message: t('titles.conflict') } : error);
      return;
    }
    startFrom(form, start);
    tell.good('titles.saved', { title: data.title });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      title={t(title ? 'titles.edit' : 'titles.add')}
      submit={t('save')}
      busy={adding.isLoading || changing.isLoading}
      failure={failure}
      wide
      onSubmit={submit}
      onClose={onClose}
    >
      <TitleFields form={form} whole autoFocus />
    </FormDialog>
  );
}
