import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { LanguagesPart } from '@contract/publishing/parts';
import type { SiteParts } from '@contract/publishing/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch } from '@/store/hooks';
import { FormDialog } from '@/ui/form/FormDialog';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { resetForm, useContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import type { SubmitResult } from '@/ui/form/useSubmit';
import { useSavePart } from '../useSavePart';
import type { SavedPart } from '../useSavePart';
import { LanguagesField } from './LanguagesField';

type Stored = SiteParts['languages'];
type Outcome = Exclude<SavedPart<'languages'>, { readonly failure: unknown }>;

/** Adds, orders and removes languages of the site. They are saved together. */
export function LanguagesDialog({ siteId, stored, onClose }: { readonly siteId: string; readonly stored: Stored; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const languageName = useLanguageName();
  const { save } = useSavePart(siteId, 'languages');
  const [base, setBase] = useState(stored);
  const [theirs, setTheirs] = useState<Stored | null>(null);
  const form = useContractForm(LanguagesPart, { defaultValues: stored.content });
  const { submit, busy, failure } = useSubmit(form, {
    send: async (content: Stored['content']): Promise<SubmitResult<Outcome>> => {
      const result = await save((theirs ?? base).revision, content);
      return 'failure' in result ? { error: result.failure } : { data: result };
    },
    onSuccess: (result) => {
      if ('theirs' in result) return setTheirs(result.theirs);
      onClose();
      dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:saved' } }));
    },
  });
  const mine = useWatch({ control: form.control, name: 'languages' });
  const namesOf = (languages: readonly string[]): string => format.list(languages.map(languageName));
  const startFrom = (from: Stored): void => {
    setTheirs(null);
    setBase(from);
    resetForm(form, from.content);
  };
  return (
    <FormDialog
      form={form}
      title={t('languages.title')}
      submitLabel={t('languages.save')}
      busy={busy}
      failure={failure}
      failureTitle={t('saveFailed')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      {theirs && (
        <StaleNotice
          differences={[{ label: t('languages.title'), mine: namesOf(mine), theirs: namesOf(theirs.content.languages) }]}
          onKeepMine={() => void form.handleSubmit(submit)()}
          onTakeTheirs={() => startFrom(theirs)}
        />
      )}
      <LanguagesField form={form} />
    </FormDialog>
  );
}
