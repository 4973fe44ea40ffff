import { Box, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { MeasuringSettings } from '@contract/measuring/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { useChangeMeasuringMutation } from './measuringApi';
import { CollectingPart } from './CollectingPart';
import { RulesEditor } from './RulesEditor';
import { bodyOf, fieldsOfPart, formParts, inputOf, placesOf, SettingsInput } from './settingsInput';
import type { FormPart, SettingsField } from './settingsInput';
import { SpamSection } from './SpamSection';
import { useFieldText } from './useFieldText';
import { VisitsPart } from './VisitsPart';

type Props = { readonly siteId: string; readonly settings: MeasuringSettings; readonly part: FormPart; readonly readOnly: boolean };

/** The form with its initial settings, and the outcome of saving: `theirs` are settings that somebody else saved meanwhile. */
function useSettingsForm(siteId: string, settings: MeasuringSettings) {
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangeMeasuringMutation();
  const [base, setBase] = useState(settings);
  const [theirs, setTheirs] = useState<MeasuringSettings | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(SettingsInput, { defaultValues: inputOf(base) });
  const { isDirty, errors } = useFormState({ control: form.control });
  if (base.revision < settings.revision && !isDirty) {
    setBase(settings);
    resetForm(form, inputOf(settings));
  }

  const saveOnto = async (onto: MeasuringSettings, input: SettingsInput): Promise<void> => {
    setFailure(null);
    const { data, error } = await save({ siteId, revision: onto.revision, body: bodyOf(input) });
    if (data) {
      setTheirs(null);
      setBase(data);
      resetForm(form, inputOf(data));
      dispatch(noticeShown({ tone: 'good', message: { key: 'measuring:saved' } }));
    } else if (isFailure(error)) {
      const current = error.current as MeasuringSettings | undefined;
      if (isStale(error) && current) setTheirs(current);
      else if (!setServerErrors(form, error, placesOf(Object.keys(error.fields ?? {})))) setFailure(error);
    }
  };
  const startAgain = (from: MeasuringSettings): void => {
    setTheirs(null);
    setFailure(null);
    setBase(from);
    resetForm(form, inputOf(from));
  };
  return { form, base, theirs, failure, isDirty, errors, isSaving: isLoading, saveOnto, startAgain };
}

/** One form over several tabs of the page: all are saved together, and none loses its input. */
export function SettingsForm({ siteId, settings, part, readOnly }: Props): ReactElement {
  const { t } = useTranslation('measuring');
  const textOf = useFieldText();
  const { form, base, theirs, failure, isDirty, errors, isSaving, saveOnto, startAgain } = useSettingsForm(siteId, settings);
  const blocker = useUnsavedWork(isDirty);
  const mine = form.getValues();
  // An error on a hidden tab would otherwise block saving silently.
  const elsewhere = formParts.find((one) => one !== part && fieldsOfPart[one].some((name) => errors[name] !== undefined));
  return (
    <Form form={form} onSubmit={(input) => saveOnto(theirs ?? base, input)} label={t('title')}>
      {readOnly && (
        <Typography variant="body2" role="note" sx={{ mt: 2, p: 1.5, bgcolor: 'action.hover', borderRadius: 1 }}>
          {t('readOnly')}
        </Typography>
      )}
      {theirs && (
        <StaleNotice
          differences={(Object.keys(mine) as SettingsField[])
            .filter((field) => JSON.stringify(mine[field]) !== JSON.stringify(inputOf(theirs)[field]))
            .map((field) => ({ label: t(`field.${field}`), mine: textOf(field, mine), theirs: textOf(field, inputOf(theirs)) }))}
          onKeepMine={() => void form.handleSubmit((input) => saveOnto(theirs, input))()}
          onTakeTheirs={() => startAgain(theirs)}
        />
      )}
      {failure && <ErrorPanel failure={failure} title={t('failed')} />}
      {elsewhere && (
        <Typography role="alert" variant="body2" sx={{ mt: 2, color: 'error.main' }}>
          {t('elsewhere', { part: t(`part.${elsewhere}`) })}
        </Typography>
      )}
      <Box
        component="fieldset"
        disabled={readOnly}
        sx={{ m: 0, p: 0, border: 0, minWidth: 0, '& section + section': { borderTop: 1, borderColor: 'divider' } }}
      >
        <Box hidden={part !== 'settings'}>
          <CollectingPart control={form.control} tag={base.tag} />
        </Box>
        <Box hidden={part !== 'visits'}>
          <VisitsPart control={form.control} />
        </Box>
        <Box hidden={part !== 'bots'}>
          <SpamSection control={form.control} />
          <RulesEditor siteId={siteId} control={form.control} saved={base.bots} />
        </Box>
      </Box>
      {!readOnly && <SaveBar dirty={isDirty} saving={isSaving} onDiscard={() => startAgain(settings)} />}
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
