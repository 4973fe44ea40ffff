import { Box, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useFormState } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { addressPolicies, wishPolicies } from '@contract/measuring/schemas';
import type { MeasuringSettings } from '@contract/measuring/schemas';
import { identityModes } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { setServerErrors, startFrom, useContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { useChangeMeasuringMutation } from './measuringApi';
import { RulesEditor } from './RulesEditor';
import { bodyOf, fieldsOfPart, formParts, inputOf, lines, placesOf, SettingsInput } from './settingsInput';
import type { FormPart, SettingsField } from './settingsInput';
import { SpamSection } from './SpamSection';
import { VisitsPart } from './VisitsPart';

type Props = { readonly siteId: string; readonly settings: MeasuringSettings; readonly part: FormPart; readonly readOnly: boolean };

/** One form over some parts of the page: all are saved together, and none loses what is typed. */
export function SettingsForm({ siteId, settings, part, readOnly }: Props): ReactElement {
  const { t } = useTranslation('measuring');
  const dispatch = useAppDispatch();
  const [save, { isLoading }] = useChangeMeasuringMutation();
  const [base, setBase] = useState(settings);
  const [theirs, setTheirs] = useState<MeasuringSettings | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(SettingsInput, { defaultValues: inputOf(base) });
  const { isDirty, errors } = useFormState({ control: form.control });
  const blocker = useUnsavedWork(isDirty);
  if (base.revision < settings.revision && !isDirty) {
    setBase(settings);
    startFrom(form, inputOf(settings));
  }

  const saveOnto = async (onto: MeasuringSettings, input: SettingsInput): Promise<void> => {
    setFailure(null);
    const { data, error } = await save({ siteId, revision: onto.revision, body: bodyOf(input) });
    if (data) {
      setTheirs(null);
      setBase(data);
      startFrom(form, inputOf(data));
      dispatch(noticeShown({ tone: 'good', words: { key: 'measuring:saved' } }));
    } else if (isFailure(error)) {
      const current = error.current as MeasuringSettings | undefined;
      if (isStale(error) && current) setTheirs(current);
      else if (!setServerErrors(form, error, placesOf(Object.keys(error.fields ?? {})))) setFailure(error);
    }
  };
  const words = (field: SettingsField, value: SettingsInput): string => {
    switch (field) {
      case 'bots':
        return t('bots.count', { count: value.bots.rules.length });
      case 'identity':
        return t(`identity.${value.identity}`);
      case 'doNotTrack':
      case 'globalPrivacyControl':
        return t(`wish.${value[field]}`);
      case 'addresses':
        return t(`addresses.${value.addresses}`);
      case 'campaignCuts':
        return t(value.campaignCuts ? 'visits.campaignYes' : 'visits.campaignNo');
      case 'spamOn':
        return t(value.spamOn ? 'spam.yes' : 'spam.no');
      default:
        return lines(value[field]).join(', ') || '–';
    }
  };
  const mine = form.getValues();
  const wishes = wishPolicies.map((value) => ({ value, label: t(`wish.${value}`) }));
  // A fault in the part that is not shown would otherwise stop the saving without a word.
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
            .map((field) => ({ label: t(`field.${field}`), mine: words(field, mine), theirs: words(field, inputOf(theirs)) }))}
          onKeepMine={() => void form.handleSubmit((input) => saveOnto(theirs, input))()}
          onTakeTheirs={() => {
            setBase(theirs);
            startFrom(form, inputOf(theirs));
            setTheirs(null);
          }}
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
          <FormSection title={t('tag.title')} lead={t('tag.lead')}>
            <Box
              component="pre"
              sx={{ m: 0, p: 1.5, bgcolor: 'action.hover', borderRadius: 1, fontSize: 12, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            >
              {base.tag}
            </Box>
            <div>
              <CopyButton text={base.tag} label={t('tag.copy')}>
                {t('tag.copy')}
              </CopyButton>
            </div>
            <TextField
              control={form.control}
              name="hosts"
              label={t('field.hosts')}
              help={t('hosts.help')}
              multiline
              minRows={2}
              maxRows={8}
              verbatim
              optional
              placeholder="*.example.com"
            />
            <TextField
              control={form.control}
              name="searchParams"
              label={t('field.searchParams')}
              help={t('searchParams.help')}
              multiline
              minRows={2}
              maxRows={8}
              verbatim
              optional
            />
          </FormSection>
          <FormSection title={t('privacy.title')} lead={t('privacy.lead')}>
            <RadioCards
              control={form.control}
              name="identity"
              label={t('field.identity')}
              choices={identityModes.map((value) => ({ value, label: t(`identity.${value}`), detail: t(`identityDetail.${value}`) }))}
            />
            <SelectField control={form.control} name="globalPrivacyControl" label={t('field.globalPrivacyControl')} help={t('wish.gpcHelp')} choices={wishes} />
            <SelectField control={form.control} name="doNotTrack" label={t('field.doNotTrack')} help={t('wish.dntHelp')} choices={wishes} />
            <RadioCards
              control={form.control}
              name="addresses"
              label={t('field.addresses')}
              choices={addressPolicies.map((value) => ({ value, label: t(`addresses.${value}`), detail: t(`addressesDetail.${value}`) }))}
            />
          </FormSection>
          <FormSection title={t('retention.title')} lead={t('retention.lead')}>
            <TextField
              control={form.control}
              name="retentionDays"
              label={t('field.retentionDays')}
              help={t('retention.help')}
              inputMode="numeric"
              maxLength={4}
              placeholder={t('retention.ever')}
            />
          </FormSection>
        </Box>
        <Box hidden={part !== 'visits'}>
          <VisitsPart control={form.control} />
        </Box>
        <Box hidden={part !== 'bots'}>
          <SpamSection control={form.control} />
          <RulesEditor siteId={siteId} control={form.control} saved={base.bots} />
        </Box>
      </Box>
      {!readOnly && (
        <SaveBar
          dirty={isDirty}
          saving={isLoading}
          onDiscard={() => {
            setTheirs(null);
            setFailure(null);
            setBase(settings);
            startFrom(form, inputOf(settings));
          }}
        />
      )}
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
