import { useState } from 'react';
import { useFormState } from 'react-hook-form';
import type { FieldPath } from 'react-hook-form';
import type { SupportSettings } from '@contract/support/settings';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { resetForm, setServerErrors, useContractForm } from '@/ui/form/useContractForm';
import { useChangeSupportSettingsMutation } from '../supportApi';
import { bodyOf, inputOf, isTopic, SettingsInput } from './settingsInput';

/** Where the form has the fields of its body, if under another name. */
export const placeOf = (path: string, input: SettingsInput): FieldPath<SettingsInput> => {
  const [head = '', second = '', third = '', fourth = '', language = ''] = path.split('.');
  const question = head === 'prechat' && second === 'fields' ? bodyOf(input).prechat?.fields?.[Number(third)]?.field : undefined;
  if (question !== undefined) return `prechat.fields.${question}`;
  if (head === 'pages') return second === 'exclude' ? 'exclude' : 'include';
  if (head === 'notify') return second === 'delaySeconds' ? 'delaySeconds' : 'webhookUrl';
  if (head === 'prechat' && second === 'topics' && third !== '') {
    const row = input.prechat.topics.flatMap((topic, at) => (isTopic(topic) ? [at] : []))[Number(third)] ?? 0;
    return fourth === 'label' ? `prechat.topics.${row}.labels.${language}` : `prechat.topics.${row}.name`;
  }
  if (head === 'prechat') return second === 'topics' ? 'prechat.topics' : 'prechat.when';
  if (head === 'hours') return second === 'week' ? 'hours.week' : second === 'holidays' ? 'hours.holidays' : 'hours.timeZone';
  if (head === 'brand' || head === 'files' || head === 'invite') return `${head}.${second}` as FieldPath<SettingsInput>;
  if (head === 'texts') return `texts.${second}.${third}` as FieldPath<SettingsInput>;
  return head as FieldPath<SettingsInput>;
};

/** The settings as one form over all tabs. `theirs`: what somebody else saved meanwhile. */
export function useSettingsForm(siteId: string, settings: SupportSettings, languages: readonly string[]) {
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangeSupportSettingsMutation();
  const [base, setBase] = useState(settings);
  const [theirs, setTheirs] = useState<SupportSettings | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(SettingsInput, { defaultValues: inputOf(base, languages) });
  const { isDirty } = useFormState({ control: form.control });
  const startFrom = (from: SupportSettings): void => {
    setTheirs(null);
    setFailure(null);
    setBase(from);
    resetForm(form, inputOf(from, languages));
  };
  if (base.revision < settings.revision && !isDirty) startFrom(settings);
  const saveOnto = async (onto: SupportSettings, input: SettingsInput): Promise<void> => {
    setFailure(null);
    const body = bodyOf(input);
    const { data, error } = await save({ siteId, revision: onto.revision, body });
    if (data) {
      startFrom(data);
      dispatch(noticeShown({ tone: 'good', message: { key: 'support:settings.saved' } }));
    } else if (isFailure(error)) {
      const current = error.current as SupportSettings | undefined;
      if (isStale(error) && current) setTheirs(current);
      else if (!setServerErrors(form, error, Object.fromEntries(Object.keys(error.fields ?? {}).map((path) => [path, placeOf(path, input)]))))
        setFailure(error);
    }
  };
  return { form, base, theirs, failure, isDirty, isSaving: isLoading, saveOnto, startFrom };
}
