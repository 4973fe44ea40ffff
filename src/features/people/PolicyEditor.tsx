import { Box, Checkbox, FormControlLabel } from '@mui/material';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { secondFactorPolicies } from '@contract/account/factors';
import type { Policy } from '@contract/account/factors';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import type { ContractForm } from '@/ui/form/useContractForm';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { Unprotected } from './Unprotected';
import { usePolicyForm } from './usePolicyForm';
import type { PolicyInput } from './usePolicyForm';

/** Days offered; another stored value is offered too. */
const graces = [0, 3, 7, 14, 30, 60, 90];

type PolicyForm = ContractForm<PolicyInput>;

/** Who needs a second factor, from when, and whom that concerns. */
function FactorFields({ form: { control } }: { readonly form: PolicyForm }): ReactElement {
  const { t } = useTranslation('people');
  const rule = useWatch({ control, name: 'secondFactor' });
  const grace = useWatch({ control, name: 'graceDays' });
  const offered = [...new Set([...graces, Number(grace)])].sort((a, b) => a - b);
  return (
    <>
      <RadioCards
        control={control}
        name="secondFactor"
        label={t('policy.who')}
        choices={secondFactorPolicies.map((one) => ({ value: one, label: t(`policy.rule.${one}`), detail: t(`policy.ruleDetail.${one}`) }))}
      />
      {rule !== 'off' && (
        <SelectField
          control={control}
          name="graceDays"
          label={t('policy.grace')}
          help={t('policy.graceHelp')}
          choices={offered.map((days) => ({ value: String(days), label: days === 0 ? t('policy.atOnce') : t('policy.days', { count: days }) }))}
        />
      )}
      <Unprotected rule={rule} />
    </>
  );
}

/** Whether people may change their own login name. */
function RenameField({ form }: { readonly form: PolicyForm }): ReactElement {
  const { t } = useTranslation('people');
  const { field } = useController({ control: form.control, name: 'selfRename' });
  return (
    <FormControlLabel
      control={<Checkbox checked={field.value} onChange={(_event, on) => field.onChange(on)} onBlur={field.onBlur} slotProps={{ input: { ref: field.ref } }} />}
      label={t('policy.renameLabel')}
      sx={{ mr: 0 }}
    />
  );
}

type StaleProps = { readonly stale: NonNullable<ReturnType<typeof usePolicyForm>['stale']> };

/** Fields that both the person and somebody else changed, with both values as text. */
function StalePolicy({ stale: { fields, mine, theirs, keepMine, takeTheirs } }: StaleProps): ReactElement {
  const { t } = useTranslation('people');
  const textOf = (field: keyof PolicyInput, value: PolicyInput): string =>
    field === 'secondFactor'
      ? t(`policy.rule.${value.secondFactor}`)
      : field === 'graceDays'
        ? t('policy.days', { count: Number(value.graceDays) })
        : t(value.selfRename ? 'policy.renameOn' : 'policy.renameOff');
  const label = { secondFactor: t('policy.factor'), graceDays: t('policy.grace'), selfRename: t('policy.rename') } as const;
  return (
    <StaleNotice
      differences={fields.map((field) => ({ label: label[field], mine: textOf(field, mine), theirs: textOf(field, theirs) }))}
      onKeepMine={keepMine}
      onTakeTheirs={takeTheirs}
    />
  );
}

/** The policy as a form with a bar that saves or discards. */
export function PolicyEditor({ policy }: { readonly policy: Policy }): ReactElement {
  const { t } = useTranslation('people');
  const { form, isDirty, saving, failure, stale, submit, discard } = usePolicyForm(policy);
  const blocker = useUnsavedWork(isDirty);
  return (
    <Form form={form} onSubmit={submit} label={t('tab.policy')}>
      <Box sx={{ '& > section + section': { borderTop: 1, borderColor: 'divider' }, '& > section:first-of-type': { pt: 1 } }}>
        <FormSection title={t('policy.factor')} lead={t('policy.factorLead')}>
          {stale && <StalePolicy stale={stale} />}
          {failure && <ErrorPanel failure={failure} title={t('policy.failed')} />}
          <FactorFields form={form} />
        </FormSection>
        <FormSection title={t('policy.rename')} lead={t('policy.renameLead')}>
          <RenameField form={form} />
        </FormSection>
      </Box>
      <SaveBar dirty={isDirty} saving={saving} onDiscard={discard} />
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
