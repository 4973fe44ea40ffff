import { Alert } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { SiteLanguages } from '@contract/languages/part';
import type { LanguagesPart } from '@contract/languages/part';
import { tagsOf } from '@contract/languages/tags';
import { suggestions, urlStrategies, xDefaults } from '@contract/languages/terms';
import type { LanguagePlan, SiteParts } from '@contract/publishing/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { resetForm, useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { LanguagesField } from './LanguagesField';
import { hasConsequences, PlanDialog } from './PlanDialog';
import { useSaveLanguages } from './useSaveLanguages';
import type { Removal } from './useSaveLanguages';

type Stored = SiteParts['languages'];

/** What concerns all languages: how addresses say them, and what visitors and search engines are offered. */
function StrategyFields({ form }: { readonly form: ContractForm<LanguagesPart> }): ReactElement {
  const { t } = useTranslation('publishing');
  const { control } = form;
  return (
    <>
      <SelectField
        control={control}
        name="strategy"
        label={t('languages.strategy')}
        help={t('languages.strategyHelp')}
        choices={urlStrategies.map((value) => ({ value, label: t(`languages.strategies.${value}`) }))}
      />
      <SelectField
        control={control}
        name="suggestion"
        label={t('languages.suggestion')}
        help={t('languages.suggestionHelp')}
        choices={suggestions.map((value) => ({ value, label: t(`languages.suggestions.${value}`) }))}
      />
      <SelectField
        control={control}
        name="xDefault"
        label={t('languages.xDefault')}
        help={t('languages.xDefaultHelp')}
        choices={xDefaults.map((value) => ({ value, label: t(`languages.xDefaults.${value}`) }))}
      />
      <CheckField control={control} name="noindexMachine" label={t('languages.noindexMachine')} help={t('languages.noindexMachineHelp')} />
    </>
  );
}

/** Adds, orders and removes languages of the site, with their addresses and fallbacks. They are saved together, after a look at what the change does. */
export function LanguagesDialog({ siteId, stored, onClose }: { readonly siteId: string; readonly stored: Stored; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const languageName = useLanguageName();
  const [base, setBase] = useState(stored);
  const [theirs, setTheirs] = useState<Stored | null>(null);
  const [planned, setPlanned] = useState<{ readonly plan: LanguagePlan; readonly content: LanguagesPart } | null>(null);
  const form = useContractForm(SiteLanguages, { defaultValues: stored.content });
  const { plan, save, busy, failure } = useSaveLanguages(siteId, form);
  const store = async (content: LanguagesPart, removal?: Removal): Promise<void> => {
    const result = await save((theirs ?? base).revision, content, removal);
    if (result === null) return;
    setPlanned(null);
    if (result !== 'saved') return setTheirs(result);
    onClose();
    dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:saved' } }));
  };
  const submit = async (content: LanguagesPart): Promise<void> => {
    const next = await plan(content);
    if (next === null) return;
    if (hasConsequences(next) || next.collisions.length > 0) setPlanned({ plan: next, content });
    else await store(content);
  };
  const namesOf = (part: LanguagesPart): string => format.list(tagsOf(part).map(languageName));
  const startFrom = (from: Stored): void => {
    setTheirs(null);
    setBase(from);
    resetForm(form, from.content);
  };
  const collisions = planned?.plan.collisions ?? [];
  if (planned && collisions.length === 0)
    return (
      <PlanDialog plan={planned.plan} busy={busy} failure={failure} onSave={(removal) => store(planned.content, removal)} onClose={() => setPlanned(null)} />
    );
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
          differences={[{ label: t('languages.title'), mine: namesOf(form.getValues()), theirs: namesOf(theirs.content) }]}
          onKeepMine={() => void form.handleSubmit(submit)()}
          onTakeTheirs={() => startFrom(theirs)}
        />
      )}
      {collisions.map(({ tag, path }) => (
        <Alert key={`${tag} ${path}`} severity="error" variant="outlined">
          {t('languages.collision', { language: languageName(tag), path })}
        </Alert>
      ))}
      <LanguagesField form={form} siteId={siteId} />
      <StrategyFields form={form} />
    </FormDialog>
  );
}
