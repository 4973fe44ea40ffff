import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { VitalBudgetInput } from '@contract/vitals/schemas';
import type { VitalBudget } from '@contract/vitals/schemas';
import { percentiles, thresholds, vitalDevices, vitalMetrics } from '@contract/vitals/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { CheckField } from '@/ui/form/CheckField';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { useVitalLabels } from './useVitalLabels';
import { useAddVitalBudgetMutation, useChangeVitalBudgetMutation } from './vitalsApi';

/** As typed: numbers are strings. */
const Input = z
  .object({
    ...VitalBudgetInput.shape,
    percentile: z.string().transform(Number).pipe(VitalBudgetInput.shape.percentile),
    most: z
      .string()
      .trim()
      .regex(/^\d{1,6}(?:\.\d{1,3})?$/)
      .transform(Number)
      .pipe(VitalBudgetInput.shape.most),
  })
  .pipe(VitalBudgetInput);
const blank = { metric: 'lcp', percentile: '75', most: String(thresholds.lcp[0]), pathPattern: '', device: '', notify: true } as const;

function Fields({ form: { control } }: { readonly form: ContractForm<z.input<typeof Input>, VitalBudgetInput> }): ReactElement {
  const { t } = useVitalLabels();
  const metric = useWatch({ control, name: 'metric' });
  return (
    <>
      <SelectField
        control={control}
        name="metric"
        label={t('budget.metric')}
        choices={vitalMetrics.map((value) => ({ value, label: t(`metric.${value}.name`) }))}
      />
      <SelectField
        control={control}
        name="percentile"
        label={t('timeline.percentile')}
        choices={percentiles.map((value) => ({ value: String(value), label: `p${value}` }))}
      />
      <TextField
        control={control}
        name="most"
        label={metric === 'cls' ? t('budget.mostScore') : t('budget.mostTime')}
        help={t('budget.mostHelp', { good: thresholds[metric][0], poor: thresholds[metric][1] })}
        messages={{ pattern: t('budget.mostInvalid'), out_of_range: t('budget.mostInvalid') }}
        maxLength={10}
      />
      <TextField
        control={control}
        name="pathPattern"
        label={t('budget.pattern')}
        help={t('budget.patternHelp')}
        messages={{ pattern: t('budget.patternInvalid') }}
        placeholder="/product/*"
        maxLength={300}
        verbatim
        optional
      />
      <SelectField
        control={control}
        name="device"
        label={t('by.device')}
        choices={[{ value: '', label: t('controls.allDevices') }, ...vitalDevices.map((value) => ({ value, label: t(`device.${value}`) }))]}
      />
      <CheckField control={control} name="notify" label={t('budget.notify')} help={t('budget.notifyHelp')} />
    </>
  );
}

/** A new budget, or a change of one. */
export function BudgetForm({
  siteId,
  budget,
  onClose,
}: {
  readonly siteId: string;
  readonly budget: VitalBudget | null;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useVitalLabels();
  const dispatch = useAppDispatch();
  const [add] = useAddVitalBudgetMutation();
  const [change] = useChangeVitalBudgetMutation();
  const form = useContractForm(Input, {
    defaultValues:
      budget === null
        ? blank
        : {
            metric: budget.metric,
            percentile: String(budget.percentile),
            most: String(budget.most),
            pathPattern: budget.pathPattern,
            device: budget.device,
            notify: budget.notify,
          },
  });
  const { submit, busy, failure } = useSubmit(form, {
    send: (body) => (budget === null ? add({ siteId, body }) : change({ siteId, id: budget.id, revision: budget.revision, body })),
    onSuccess: () => {
      dispatch(noticeShown({ tone: 'good', message: { key: 'vitals:budget.saved' } }));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={budget === null ? t('budget.add') : t('budget.edit')}
      lead={t('budget.lead')}
      submitLabel={t('budget.save')}
      busy={busy}
      failure={failure}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields form={form} />
    </FormDialog>
  );
}
