import type { Funnel } from '@contract/insights/schemas';
import AddIcon from '@mui/icons-material/AddOutlined';
import DownIcon from '@mui/icons-material/ArrowDownwardOutlined';
import UpIcon from '@mui/icons-material/ArrowUpwardOutlined';
import DeleteIcon from '@mui/icons-material/DeleteOutlineOutlined';
import { Box, Button, IconButton, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { type Control, useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '@/features/session/useFormDraft';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { ConditionFields } from './ConditionFields';
import { type ReadFunnel, type TypedFunnel, blankCondition, funnelForm, minutesOf, typedCondition } from './conditionForm';
import { EditDialog } from './EditDialog';
import { useSaveFunnelMutation } from './insightsApi';
import { useInsightNotices } from './useConditionLabels';
import { useSaving } from './useSaving';

const units = ['day', 'hour', 'minute'] as const;
const typed = (funnel: Funnel | null): TypedFunnel => {
  const within = funnel?.within ?? minutesOf.day;
  const unit = units.find((one) => within % minutesOf[one] === 0) ?? 'minute';
  return {
    name: funnel?.name ?? '',
    steps: funnel ? funnel.steps.map(typedCondition) : [blankCondition, blankCondition],
    within: String(within / minutesOf[unit]),
    unit,
    scope: funnel?.scope ?? 'visitor',
  };
};

/** One step of a funnel, which can change places with its neighbours; two steps always remain. */
const StepFields = ({
  control,
  index,
  count,
  onMove,
  onRemove,
}: {
  readonly control: Control<TypedFunnel, unknown, ReadFunnel>;
  readonly index: number;
  readonly count: number;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}): ReactElement => {
  const { t } = useTranslation('insights');
  const n = index + 1;
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, pl: 2, borderLeft: 2, borderColor: 'divider', minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', mb: 1 }}>
        <Typography component="legend" sx={{ fontWeight: 600, fontSize: 'var(--text-body)', flex: 1 }}>
          {t('funnel.step', { n })}
        </Typography>
        <IconButton disabled={index === 0} aria-label={t('funnel.up', { n })} onClick={() => onMove(index - 1)}>
          <UpIcon />
        </IconButton>
        <IconButton disabled={index === count - 1} aria-label={t('funnel.down', { n })} onClick={() => onMove(index + 1)}>
          <DownIcon />
        </IconButton>
        <IconButton disabled={count <= 2} aria-label={t('funnel.drop', { n })} onClick={onRemove}>
          <DeleteIcon />
        </IconButton>
      </Box>
      <ConditionFields control={control} at={`steps.${index}`} />
    </Box>
  );
};

export const FunnelDialog = ({
  siteId,
  funnel,
  onClose,
  onSaved,
}: {
  readonly siteId: string;
  readonly funnel: Funnel | null;
  readonly onClose: () => void;
  readonly onSaved: (funnel: Funnel) => void;
}): ReactElement => {
  const { t } = useTranslation('insights');
  const notify = useInsightNotices();
  const [save, { isLoading }] = useSaveFunnelMutation();
  const form = useContractForm<TypedFunnel, ReadFunnel>(funnelForm, { defaultValues: typed(funnel) });
  const { drop } = useFormDraft(form, `als.funnel.${siteId}.${funnel?.id ?? 'new'}`);
  const { control } = form;
  const { fields, append, remove, swap } = useFieldArray({ control: control as unknown as Control<{ steps: TypedFunnel['steps'][number][] }>, name: 'steps' });

  const { submit, failure } = useSaving(
    form,
    drop,
    (body) => save({ siteId, body, ...(funnel ? { was: funnel } : {}) }),
    (saved, { name }) => {
      notify.good(funnel ? 'funnel.changed' : 'funnel.added', { name });
      onSaved(saved);
    },
  );
  return (
    <EditDialog
      form={form}
      title={t(funnel ? 'funnel.edit' : 'funnel.add')}
      lead={t('funnel.lead')}
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
        autoFocus={funnel === null}
        autoComplete="off"
        messages={{ taken: t('edit.nameInUse') }}
      />
      {fields.map((field, index) => (
        <StepFields key={field.id} control={control} index={index} count={fields.length} onMove={(to) => swap(index, to)} onRemove={() => remove(index)} />
      ))}
      {fields.length < 8 && (
        <Button startIcon={<AddIcon />} onClick={() => append(blankCondition)} sx={{ justifySelf: 'start' }}>
          {t('funnel.addStep')}
        </Button>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr) 120px', alignItems: 'start' }}>
        <TextField
          control={control}
          name="within"
          label={t('funnel.within')}
          help={t('funnel.withinHelp')}
          inputMode="numeric"
          autoComplete="off"
          messages={{ wrong_type: t('funnel.withinNeeded'), out_of_range: t('funnel.withinNeeded') }}
        />
        <SelectField control={control} name="unit" label={t('funnel.unit')} choices={units.map((value) => ({ value, label: t(`unit.${value}`) }))} />
      </Box>
      <SelectField
        control={control}
        name="scope"
        label={t('funnel.scope')}
        help={t('funnel.scopeHelp')}
        choices={(['visitor', 'visit'] as const).map((value) => ({ value, label: t(`scope.${value}`) }))}
      />
    </EditDialog>
  );
};
