import { Box, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { CountryRule, CountryRuleState } from '@contract/countryBlock/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { StaleNotice } from '@/ui/form/StaleNotice';
import type { Difference } from '@/ui/form/StaleNotice';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { BypassSection, RecordSection } from './BypassSection';
import { PreviewCard } from './PreviewCard';
import { ActionSection, CountriesSection } from './RuleFields';
import { NewWarnings, RuleNotices } from './RuleNotices';
import type { ParsedRule } from './ruleInput';
import { TestBox } from './TestBox';
import { useRuleForm } from './useRuleForm';
import { useRuleSummary } from './useRuleSummary';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Fields that two people set differently: the rule in a sentence, and what the sentence leaves out. */
function useDifferences(): (mine: CountryRule, theirs: CountryRule) => Difference[] {
  const { t } = useTranslation('countryBlock');
  const summary = useRuleSummary();
  return (mine, theirs) => {
    const rest = (['openNetworks', 'openPaths', 'page', 'message'] as const).map((key) => ({
      label: t(`field.${key === 'message' ? 'messages' : key}`),
      mine: textOf(mine[key]),
      theirs: textOf(theirs[key]),
    }));
    return [{ label: t('title'), mine: summary(mine), theirs: summary(theirs) }, ...rest].filter((one) => one.mine !== one.theirs);
  };
}

type Props = { readonly site: Site; readonly state: CountryRuleState; readonly opened: string; readonly onUpdated: () => void };

/** The rule, what it would have refused, and what it decides about one request. */
export function RuleForm({ site, state, opened, onUpdated }: Props): ReactElement {
  const { t } = useTranslation('countryBlock');
  const { form, base, theirs, failure, isDirty, isSaving, saveOnto, startFrom } = useRuleForm(site.id, site.defaultLang, state, opened);
  const differences = useDifferences();
  const blocker = useUnsavedWork(isDirty);
  const rule = useWatch({ control: form.control, name: 'rule' });
  const readOnly = !mayOnSite(site.role, 'site.compose');
  const save = (input: ParsedRule) => saveOnto(theirs ?? base, input);
  return (
    <>
      <RuleNotices state={state} onUpdated={onUpdated} />
      <Form form={form} onSubmit={save} label={t('title')}>
        {readOnly && (
          <Typography variant="body2" role="note" sx={{ mt: 2, p: 1.5, bgcolor: 'action.hover', borderRadius: 1 }}>
            {t('readOnly')}
          </Typography>
        )}
        {theirs && (
          <StaleNotice
            differences={differences(form.getValues('rule') as CountryRule, theirs.rule)}
            onKeepMine={() => void form.handleSubmit((input) => saveOnto(theirs, input))()}
            onTakeTheirs={() => startFrom(theirs)}
          />
        )}
        {failure && <ErrorPanel failure={failure} title={t('failed')} />}
        <Box
          component="fieldset"
          disabled={readOnly}
          sx={{ m: 0, p: 0, border: 0, minWidth: 0, maxWidth: 960, '& section + section': { borderTop: 1, borderColor: 'divider' } }}
        >
          <CountriesSection control={form.control} offersTor={state.torDay !== null} />
          <ActionSection control={form.control} site={site} />
          <BypassSection control={form.control} siteId={site.id} />
          <RecordSection control={form.control} />
        </Box>
        {isDirty && mayOnSite(site.role, 'analytics.read') && <NewWarnings siteId={site.id} input={rule} known={state.warnings} />}
        {!readOnly && <SaveBar dirty={isDirty && !theirs} saving={isSaving} onDiscard={() => startFrom(state)} />}
        <LeaveDialog blocker={blocker} />
      </Form>
      <Box sx={{ mt: 4, pt: 3, borderTop: 1, borderColor: 'divider' }}>
        {mayOnSite(site.role, 'analytics.read') && <PreviewCard siteId={site.id} input={rule} />}
        <TestBox siteId={site.id} rule={rule} own={state.diagnosis.address} />
      </Box>
    </>
  );
}
