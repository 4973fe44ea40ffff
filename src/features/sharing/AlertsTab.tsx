import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { alertDirections, alertMeasures, alertWindows, mostRules } from '@contract/digests/schemas';
import type { Digests } from '@contract/digests/schemas';
import type { Site } from '@contract/sites/schemas';
import { useUnsavedGuard } from '@/lib/useUnsavedGuard';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { DigestsPart } from './DigestsPart';
import { useDigestsForm } from './useDigestsForm';

const first = { measure: 'visits', window: 'hour', direction: 'drop', percent: '50', least: '20' } as const;

function Rules({ site, digests }: { readonly site: Site; readonly digests: Digests }): ReactElement {
  const { t } = useTranslation('sharing');
  const { form, submit, discard, saving, failure } = useDigestsForm(site, digests);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rules' });
  const { isDirty } = form.formState;
  const blocker = useUnsavedGuard(isDirty && !saving);
  /** Saves the first rule with its defaults. */
  const notifyOfDrop = (): void => {
    append(first);
    void form.handleSubmit(submit)();
  };
  const add = (
    <Button variant="outlined" type="button" onClick={() => append(first)}>
      {t('alerts.add')}
    </Button>
  );
  return (
    <Form form={form} onSubmit={submit}>
      {failure && <ErrorPanel failure={failure} title={failure.code === 'stale_revision' ? t('reports.stale') : t('reports.failed')} />}
      {fields.length === 0 ? (
        <EmptyState
          ghost="rows"
          title={t('alerts.empty')}
          action={
            <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 1 }}>
              <Button variant="contained" type="button" disabled={saving} onClick={notifyOfDrop}>
                {t('alerts.drops')}
              </Button>
              {add}
            </Box>
          }
        >
          {t('alerts.emptyText')}
        </EmptyState>
      ) : (
        <>
          {fields.map((field, index) => (
            <RuleFields key={field.id} control={form.control} index={index} onRemove={() => remove(index)} />
          ))}
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, pt: 2, borderTop: 1, borderColor: 'divider' }}>
            {fields.length < mostRules ? (
              add
            ) : (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                {t('alerts.most')}
              </Typography>
            )}
          </Box>
        </>
      )}
      <SaveBar dirty={isDirty} saving={saving} onDiscard={discard} />
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}

/** One rule. The threshold is explained once, at the first rule. */
function RuleFields({
  control,
  index,
  onRemove,
}: {
  readonly control: ReturnType<typeof useDigestsForm>['form']['control'];
  readonly index: number;
  readonly onRemove: () => void;
}): ReactElement {
  const { t } = useTranslation('sharing');
  const n = index + 1;
  return (
    <Box
      role="group"
      aria-label={t('alerts.rule', { n })}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(130px, 1fr))',
        gap: 1.5,
        alignItems: 'start',
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <SelectField
        control={control}
        name={`rules.${index}.window`}
        label={t('alerts.window')}
        choices={alertWindows.map((id) => ({ value: id, label: t(`alerts.windows.${id}`) }))}
      />
      <SelectField
        control={control}
        name={`rules.${index}.measure`}
        label={t('alerts.measure')}
        choices={alertMeasures.map((id) => ({ value: id, label: t(`alerts.measures.${id}`) }))}
      />
      <SelectField
        control={control}
        name={`rules.${index}.direction`}
        label={t('alerts.direction')}
        choices={alertDirections.map((id) => ({ value: id, label: t(`alerts.directions.${id}`) }))}
      />
      <TextField control={control} name={`rules.${index}.percent`} label={t('alerts.percent')} inputMode="numeric" maxLength={5} />
      <TextField
        control={control}
        name={`rules.${index}.least`}
        label={t('alerts.least')}
        {...(index === 0 && { help: t('alerts.leastHelp') })}
        inputMode="numeric"
        maxLength={10}
      />
      <Button type="button" sx={{ mt: 3, justifySelf: 'start' }} onClick={onRemove} aria-label={t('alerts.remove', { n })}>
        {t('alerts.drop')}
      </Button>
    </Box>
  );
}

/** Alert settings of the site, and the alerts sent. */
export function AlertsTab({ site }: { readonly site: Site }): ReactElement {
  return (
    <DigestsPart site={site} part="alerts">
      {(digests) => <Rules site={site} digests={digests} />}
    </DigestsPart>
  );
}
