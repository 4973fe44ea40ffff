import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { addressPolicies, wishPolicies } from '@contract/measuring/schemas';
import { identityModes } from '@contract/sites/schemas';
import { CopyButton } from '@/ui/CopyButton';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { SettingsInput } from './settingsInput';

type Props = { readonly control: Control<SettingsInput, unknown, SettingsInput> };

/** The tracker's tag, and which hits are accepted. */
function TagSection({ control, tag }: Props & { readonly tag: string }): ReactElement {
  const { t } = useTranslation('measuring');
  return (
    <FormSection title={t('tag.title')} lead={t('tag.lead')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'start', gap: 1, p: 1.25, bgcolor: 'action.hover', borderRadius: 1 }}>
        <Box component="pre" sx={{ flex: '1 1 240px', minWidth: 0, m: 0, fontSize: 'var(--text-secondary)', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {tag}
        </Box>
        <CopyButton text={tag} label={t('tag.copy')}>
          {t('tag.copy')}
        </CopyButton>
      </Box>
      <TextField
        control={control}
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
        control={control}
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
  );
}

/** What is collected about visitors, and how long it is stored. */
export function CollectingPart({ control, tag }: Props & { readonly tag: string }): ReactElement {
  const { t } = useTranslation('measuring');
  const wishes = wishPolicies.map((value) => ({ value, label: t(`wish.${value}`) }));
  return (
    <>
      <TagSection control={control} tag={tag} />
      <FormSection title={t('privacy.title')} lead={t('privacy.lead')}>
        <RadioCards
          control={control}
          name="identity"
          label={t('field.identity')}
          choices={identityModes.map((value) => ({ value, label: t(`identity.${value}`), detail: t(`identityDetail.${value}`) }))}
        />
        <SelectField control={control} name="globalPrivacyControl" label={t('field.globalPrivacyControl')} help={t('wish.gpcHelp')} choices={wishes} />
        <SelectField control={control} name="doNotTrack" label={t('field.doNotTrack')} help={t('wish.dntHelp')} choices={wishes} />
        <RadioCards
          control={control}
          name="addresses"
          label={t('field.addresses')}
          choices={addressPolicies.map((value) => ({ value, label: t(`addresses.${value}`), detail: t(`addressesDetail.${value}`) }))}
        />
      </FormSection>
      <FormSection title={t('vitals.title')} lead={t('vitals.lead')}>
        <CheckField control={control} name="vitalsOn" label={t('field.vitalsOn')} help={t('vitals.help')} />
        <TextField control={control} name="vitalsPercent" label={t('field.vitalsPercent')} help={t('vitals.percentHelp')} inputMode="numeric" maxLength={3} />
      </FormSection>
      <FormSection title={t('retention.title')} lead={t('retention.lead')}>
        <TextField
          control={control}
          name="retentionDays"
          label={t('field.retentionDays')}
          help={t('retention.help')}
          inputMode="numeric"
          maxLength={4}
          placeholder={t('retention.ever')}
        />
      </FormSection>
    </>
  );
}
