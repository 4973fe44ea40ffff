import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useFormState } from 'react-hook-form';
import type { FieldPath } from 'react-hook-form';
import type { SiteParts } from '@contract/publishing/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { resetForm, setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useSavePart } from '../useSavePart';
import { GeneralSettings, inputOf, settingsOf, textFields } from './generalValues';
import type { GeneralInput, GeneralValues } from './generalValues';

type Working = SiteParts['settings'];

/** Where the form shows an error of a text in one language. */
const placesOf = (languages: readonly string[]): Record<string, FieldPath<GeneralInput>> =>
  Object.fromEntries(textFields.flatMap((field) => languages.map((language) => [`${field}.${language}`, `${field}.${language}` as const])));

/** The form with the stored settings, and the outcome of saving: `theirs` are settings that somebody else has saved meanwhile. */
export function useGeneralForm(siteId: string, stored: Working, languages: readonly string[]) {
  const dispatch = useAppDispatch();
  const { save, busy } = useSavePart(siteId, 'settings');
  const [base, setBase] = useState(stored);
  const [theirs, setTheirs] = useState<Working | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const form = useContractForm(GeneralSettings, { defaultValues: inputOf(base.content, languages) });
  const { isDirty } = useFormState({ control: form.control });

  const startAgain = (from: Working): void => {
    setTheirs(null);
    setFailure(null);
    setHasFailed(false);
    setBase(from);
    resetForm(form, inputOf(from.content, languages));
  };
  // Saved elsewhere, such as settings of the theme; what somebody has typed stays.
  if (base.revision < stored.revision && !isDirty) startAgain(stored);
  // Texts in a language that was added begin empty; what somebody has typed stays.
  const followLanguages = useEffectEvent(() => form.reset(inputOf(base.content, languages), { keepDirty: true, keepDirtyValues: true }));
  const languageTags = languages.join();
  const formTags = useRef(languageTags);
  useEffect(() => {
    if (formTags.current === languageTags) return;
    formTags.current = languageTags;
    followLanguages();
  }, [languageTags]);

  const saveOnto = async (onto: Working, values: GeneralValues): Promise<void> => {
    setFailure(null);
    setHasFailed(false);
    const content = settingsOf(values, onto.content);
    const result = await save(onto.revision, content);
    if ('revision' in result) {
      startAgain({ content, revision: result.revision });
      dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:saved' } }));
    } else if ('theirs' in result) setTheirs(result.theirs);
    else if (result.failure === null || !setServerErrors(form, result.failure, placesOf(languages))) {
      setFailure(result.failure);
      setHasFailed(true);
    }
  };
  return { form, base, theirs, failure, hasFailed, isDirty, busy, saveOnto, startAgain };
}
