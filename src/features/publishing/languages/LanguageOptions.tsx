import { NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { languageLimits, languageStates, missingPolicies } from '@contract/languages/terms';
import { fallbackCycle } from '@contract/languages/fallback';
import type { LanguagesPart } from '@contract/languages/part';
import { useLanguageName } from '@/lib/languageName';
import { Field } from '@/ui/form/Field';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { FormatFields } from './FormatFields';
import { useLanguageHosts } from './useLanguageHosts';

type Props = { readonly form: ContractForm<LanguagesPart>; readonly at: number };

/** A select of one language, or none. */
function LanguageSelect({
  label,
  help,
  error,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error: string | undefined;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}): ReactElement {
  return (
    <Field label={label} help={help} error={error}>
      {({ id, ...aria }) => (
        <NativeSelect fullWidth id={id} value={value} onChange={(event) => onChoose(event.target.value)} input={<OutlinedInput />} inputProps={aria}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** The languages in which something is looked for where it is not translated, one select for each step. The default language comes after them by itself. */
function FallbackFields({ form, at }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const messageOf = useFieldErrorMessage();
  const { languages } = useWatch({ control: form.control }) as LanguagesPart;
  const { field, fieldState } = useController({ control: form.control, name: `languages.${at}.fallback` });
  const chain = field.value;
  const cycle = fallbackCycle(Object.fromEntries(languages.map(({ tag, fallback }) => [tag, fallback])));
  const error = messageOf(fieldState.error?.message, {
    loop: t('languages.cycle', { path: (cycle ?? []).map(languageName).join(' → ') }),
    unknown: t('languages.unknownFallback'),
  });
  const others = languages.slice(1).flatMap(({ tag }) => (tag === languages[at]?.tag ? [] : [tag]));
  const choose = (step: number, tag: string): void => field.onChange(tag === '' ? chain.filter((_one, index) => index !== step) : chain.with(step, tag));
  const steps = [...chain, ...(chain.length < languageLimits.fallback && others.some((tag) => !chain.includes(tag)) ? [''] : [])];
  const initial = languageName(languages[0]?.tag ?? '');
  return (
    <>
      {steps.map((value, step) => (
        <LanguageSelect
          key={`${step} ${value}`}
          label={step === 0 ? t('languages.fallback') : t('languages.thenFallback', { number: step + 1 })}
          help={step === 0 ? t('languages.fallbackHelp', { language: initial }) : undefined}
          error={step === 0 ? error : undefined}
          value={value}
          choices={[
            { value: '', label: step === 0 ? t('languages.noFallback', { language: initial }) : t('languages.noFurther') },
            ...others.filter((tag) => tag === value || !chain.includes(tag)).map((tag) => ({ value: tag, label: languageName(tag) })),
          ]}
          onChoose={(tag) => (value === '' ? field.onChange([...chain, tag]) : choose(step, tag))}
        />
      ))}
    </>
  );
}

function HostnameField({ form, at, siteId }: Props & { readonly siteId: string }): ReactElement | null {
  const { t } = useTranslation('publishing');
  const messageOf = useFieldErrorMessage();
  const { hosts, isReady } = useLanguageHosts(siteId, form);
  const { field, fieldState } = useController({ control: form.control, name: `languages.${at}.hostname` });
  if (!isReady) return null;
  const possible = hosts.filter(({ isPrimary }) => !isPrimary);
  const isGone = field.value !== null && !possible.some(({ id }) => id === field.value);
  return (
    <LanguageSelect
      label={t('languages.hostname')}
      help={possible.length === 0 ? t('languages.noHostname') : t('languages.hostnameHelp')}
      error={messageOf(fieldState.error?.message, { unknown: t('languages.goneHostname'), duplicate: t('languages.sameHostname') })}
      value={field.value ?? ''}
      choices={[
        { value: '', label: t('languages.prefixInstead') },
        ...(isGone ? [{ value: field.value ?? '', label: t('languages.goneHostname') }] : []),
        ...possible.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChoose={(id) => field.onChange(id === '' ? null : id)}
    />
  );
}

/** Address, visibility, fallbacks and formats of one language. The default one is always visible, and misses nothing. */
export function LanguageOptions({ form, at, siteId }: Props & { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const { control } = form;
  return (
    <>
      {at > 0 && <HostnameField form={form} at={at} siteId={siteId} />}
      <TextField
        control={control}
        name={`languages.${at}.path`}
        label={t('languages.path')}
        help={t('languages.pathHelp')}
        verbatim
        messages={{ pattern: t('languages.pathPattern'), reserved: t('languages.pathReserved') }}
      />
      {at > 0 && (
        <>
          <SelectField
            control={control}
            name={`languages.${at}.state`}
            label={t('languages.state')}
            choices={languageStates.map((value) => ({ value, label: t(`languages.states.${value}`) }))}
          />
          <SelectField
            control={control}
            name={`languages.${at}.missing`}
            label={t('languages.missing')}
            help={t('languages.missingHelp')}
            choices={missingPolicies.map((value) => ({ value, label: t(`languages.policies.${value}`) }))}
          />
          <FallbackFields form={form} at={at} />
        </>
      )}
      <FormatFields form={form} at={at} siteId={siteId} />
    </>
  );
}
