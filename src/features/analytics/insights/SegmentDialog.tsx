import { SegmentInput } from '@contract/insights/schemas';
import type { Segment } from '@contract/insights/schemas';
import { Checkbox, FormControlLabel } from '@mui/material';
import type { ReactElement } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFormDraft } from '@/features/session/useFormDraft';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { useFilterLabels } from '../useFilterLabels';
import { EditDialog } from './EditDialog';
import { useSaveSegmentMutation } from './insightsApi';
import { useSaving } from './useSaving';

/** Names a set of filters; `segment`: renames one or changes its visibility. */
export const SegmentDialog = ({
  siteId,
  segment,
  filters,
  onSaved,
  onClose,
}: {
  readonly siteId: string;
  readonly segment: Segment | null;
  readonly filters: readonly string[];
  readonly onSaved: (segment: Segment) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('insights');
  const filterLabels = useFilterLabels();
  const [save, { isLoading }] = useSaveSegmentMutation();
  const form = useContractForm(SegmentInput, { defaultValues: { name: segment?.name ?? '', filters: [...filters], shared: segment?.shared ?? false } });
  const { drop } = useFormDraft(form, `als.segment.${siteId}.${segment?.id ?? 'new'}`);
  // A draft stores the input, not the current filters.
  const { submit, failure } = useSaving(
    form,
    drop,
    (typed) => save({ siteId, body: { ...typed, filters: [...filters] }, ...(segment ? { was: segment } : {}) }),
    onSaved,
  );
  return (
    <EditDialog
      form={form}
      title={t(segment ? 'segment.edit' : 'segment.save')}
      lead={filterLabels(filters).join(t('list'))}
      busy={isLoading}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label={t('edit.name')}
        maxLength={60}
        autoFocus
        autoComplete="off"
        messages={{ taken: t('edit.nameInUse') }}
      />
      <Controller
        control={form.control}
        name="shared"
        render={({ field }) => (
          <FormControlLabel
            label={t('segment.shared')}
            disabled={segment !== null && !segment.own}
            control={<Checkbox checked={field.value} onChange={(_event, on) => field.onChange(on)} />}
          />
        )}
      />
    </EditDialog>
  );
};
