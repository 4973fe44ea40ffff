import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { refusalStatuses, ruleModes } from '@contract/countryBlock/terms';
import type { RuleAction } from '@contract/countryBlock/terms';
import { languageName } from '@/lib/languageName';
import { CheckField } from '@/ui/form/CheckField';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { Segmented } from '@/ui/form/Segmented';
import { TextField } from '@/ui/form/TextField';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { FilterSelect } from '@/ui/FilterSelect';
import type { Site } from '@contract/sites/schemas';
import { CountryPicker } from './CountryPicker';
import { RefusalPage } from './RefusalPage';
import type { ParsedRule, RuleInput } from './ruleInput';

export type RuleControl = Control<RuleInput, unknown, ParsedRule>;
type Props = { readonly control: RuleControl };

/** Whom the rule concerns. */
export function CountriesSection({ control, offersTor }: Props & { readonly offersTor: boolean }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const { field, fieldState } = useController({ control, name: 'rule.countries' });
  const unknown = useController({ control, name: 'rule.unknownAction' });
  const messageOf = useFieldErrorMessage();
  return (
    <FormSection title={t('section.countries')} lead={t('section.countriesLead')}>
      <CheckField control={control} name="rule.enabled" label={t('field.enabled')} help={t('field.enabledHelp')} />
      <RadioCards
        control={control}
        name="rule.mode"
        label={t('field.mode')}
        choices={ruleModes.map((value) => ({ value, label: t(`mode.${value}`), detail: t(`mode.${value}Detail`) }))}
      />
      <CountryPicker value={field.value} offersTor={offersTor} error={messageOf(fieldState.error?.message)} onChange={field.onChange} />
      <Segmented
        label={t('field.unknownAction')}
        value={unknown.field.value ?? 'allow'}
        choices={[
          { value: 'allow', label: t('unknownAction.allow') },
          { value: 'block', label: t('unknownAction.block') },
        ]}
        onChoose={unknown.field.onChange}
      />
    </FormSection>
  );
}

/** Languages for which the program's own pages have texts, in which a message can be written. */
const messageLanguages = ['zh-Hans', 'zh-Hant', 'en', 'ja', 'ko', 'fr', 'de', 'es'] as const;

function Messages({ control, defaultLang }: Props & { readonly defaultLang: string }): ReactElement {
  const { t, i18n } = useTranslation('countryBlock');
  const { field } = useController({ control, name: 'rule.message' });
  const languages = [...new Set([defaultLang, ...Object.keys(field.value ?? {})])];
  const others = messageLanguages.filter((one) => !languages.includes(one));
  return (
    <>
      {languages.map((language) => (
        <TextField
          key={language}
          control={control}
          name={`rule.message.${language}`}
          label={t('field.message', { language: languageName(language, i18n.language) })}
          {...(language === defaultLang && { help: t('field.messageHelp') })}
          optional
          multiline
          minRows={2}
          maxLength={1000}
        />
      ))}
      {others.length > 0 && (
        <Box>
          <FilterSelect
            label={t('field.addLanguage')}
            value=""
            choices={[{ value: '', label: t('field.addLanguage') }, ...others.map((value) => ({ value, label: languageName(value, i18n.language) }))]}
            onChoose={(language) => language !== '' && field.onChange({ ...field.value, [language]: '' })}
          />
        </Box>
      )}
    </>
  );
}

/** The mildest first. */
const actions = ['log_only', 'challenge', 'block'] as const satisfies readonly RuleAction[];

/** What these visitors get. */
export function ActionSection({ control, site }: Props & { readonly site: Site }): ReactElement {
  const { t } = useTranslation('countryBlock');
  const action = useWatch({ control, name: 'rule.action' });
  const status = useController({ control, name: 'rule.status' });
  const isLegal = status.field.value === 451;
  return (
    <FormSection title={t('section.action')} lead={t('section.actionLead')}>
      <RadioCards
        control={control}
        name="rule.action"
        label={t('field.action')}
        choices={actions.map((value) => ({
          value,
          label: t(`action.${value}`),
          detail: t(`action.${value}Detail`),
        }))}
      />
      {action === 'block' && (
        <Segmented
          label={t('field.status')}
          value={String(status.field.value ?? 403)}
          choices={refusalStatuses.map((value) => ({ value: String(value), label: t(value === 451 ? 'status.legal' : 'status.forbidden') }))}
          onChoose={(value) => status.field.onChange(Number(value))}
        />
      )}
      {action === 'block' && isLegal && (
        <>
          <TextField control={control} name="rule.authority.name" label={t('field.authority')} help={t('field.authorityHelp')} maxLength={200} />
          <TextField control={control} name="rule.authority.url" label={t('field.authorityUrl')} optional verbatim inputMode="url" maxLength={500} />
        </>
      )}
      {action === 'block' && (
        <>
          <RefusalPage control={control} site={site} />
          <Messages control={control} defaultLang={site.defaultLang} />
          <TextField control={control} name="rule.contact" label={t('field.contact')} help={t('field.contactHelp')} optional maxLength={200} />
        </>
      )}
    </FormSection>
  );
}
