import { type Goal, worthKinds } from '@contract/insights/schemas';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '@/features/session/useFormDraft';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { ConditionFields } from './ConditionFields';
import { type ReadGoal, type TypedGoal, goalForm, typedGoal } from './conditionForm';
import { EditDialog } from './EditDialog';
import { useSaveGoalMutation } from './insightsApi';
import { useInsightNotices } from './useConditionLabels';
import { useSaving } from './useSaving';

export const GoalDialog = ({ siteId, goal, onClose }: { readonly siteId: string; readonly goal: Goal | null; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('insights');
  const notify = useInsightNotices();
  const [save, { isLoading }] = useSaveGoalMutation();
  const form = useContractForm<TypedGoal, ReadGoal>(goalForm, { defaultValues: typedGoal(goal) });
  const { drop } = useFormDraft(form, `als.goal.${siteId}.${goal?.id ?? 'new'}`);
  const { control } = form;
  const [kind, worth] = useWatch({ control, name: ['condition.kind', 'worth.kind'] });

  const { submit, failure } = useSaving(
    form,
    drop,
    (body) => save({ siteId, body, ...(goal ? { was: goal } : {}) }),
    (_saved, { name }) => {
      notify.good(goal ? 'goal.changed' : 'goal.added', { name });
      onClose();
    },
  );
  return (
    <EditDialog
      form={form}
      title={t(goal ? 'goal.edit' : 'goal.add')}
      lead={t('goal.lead')}
      busy={isLoading}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={control}
        name="name"
        label={t('edit.name')}
        maxLength={60}
        autoFocus={goal === null}
        autoComplete="off"
        messages={{ taken: t('edit.nameInUse') }}
      />
      <ConditionFields control={control} at="condition" />
      <SelectField
        control={control}
        name="worth.kind"
        label={t('worth.label')}
        help={t(worth === 'property' ? 'worth.propertyHelp' : worth === 'fixed' ? 'worth.fixedHelp' : 'worth.noneHelp')}
        choices={worthKinds.filter((one) => one !== 'property' || kind === 'event').map((value) => ({ value, label: t(`worth.${value}`) }))}
      />
      {worth === 'fixed' && (
        <TextField
          control={control}
          name="worth.amount"
          label={t('worth.amount')}
          inputMode="numeric"
          autoComplete="off"
          messages={{ wrong_type: t('worth.amountNeeded') }}
        />
      )}
      {worth === 'property' && kind === 'event' && (
        <TextField control={control} name="worth.property" label={t('worth.name')} placeholder="amount" verbatim autoComplete="off" />
      )}
    </EditDialog>
  );
};
