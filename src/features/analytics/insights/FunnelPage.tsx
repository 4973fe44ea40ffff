import type { Funnel } from '@contract/insights/schemas';
import { Box, Button, Typography } from '@mui/material';
import type { TFunction } from 'i18next';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { EmptyState } from '@/ui/EmptyState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { BlockState } from '../BlockState';
import { scopeOf } from '../blocksApi';
import { QuietSelect } from '../QuietSelect';
import { minutesOf } from './conditionForm';
import { FunnelDialog } from './FunnelDialog';
import { InsightFrame, type InsightProps } from './InsightFrame';
import { useFunnelResultQuery, useFunnelsQuery, useRemoveFunnelMutation } from './insightsApi';
import { useConditionLabels } from './useConditionLabels';
import { useRemoval } from './useRemoval';

/** The steps in a column: a bar with its share of the first step, and the loss between steps. */
const Steps = ({ site, state, funnel }: InsightProps & { readonly funnel: Funnel }): ReactElement => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const say = useConditionLabels();
  const result = useFunnelResultQuery({ siteId: site.id, id: funnel.id, revision: funnel.revision, ...scopeOf(state) });
  return (
    <BlockState name={funnel.name} result={result} skeleton={<RowsSkeleton rows={funnel.steps.length} />}>
      {({ steps }) => (
        <>
          <Typography variant="body2" sx={{ mb: 2, color: 'text.secondary' }}>
            {steps[0]?.visitors === 0
              ? t('funnel.nobody')
              : t('funnel.summary', {
                  count: steps.at(-1)?.visitors ?? 0,
                  all: format.number(steps[0]?.visitors ?? 0),
                  rate: format.percent(steps.at(-1)?.rate ?? 0),
                })}
          </Typography>
          <Box component="ol" aria-label={funnel.name} sx={{ listStyle: 'none', p: 0, m: 0 }}>
            {steps.map((step, index) => {
              const condition = funnel.steps[index];
              return (
                // Steps have no name but their place.
                // oxlint-disable-next-line react/no-array-index-key
                <Box component="li" key={index} sx={{ mb: 1 }}>
                  {index > 0 && (
                    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', pl: 1.5, py: 0.5, m: 0 }}>
                      {[
                        step.stepRate === null ? '' : t('funnel.went', { rate: format.percent(step.stepRate) }),
                        t('funnel.dropped', { count: step.dropped, countText: format.number(step.dropped) }),
                        step.medianSeconds === null
                          ? ''
                          : t('funnel.median', { time: step.medianSeconds < 1 ? t('funnel.instant') : format.duration(step.medianSeconds) }),
                      ]
                        .filter((one) => one !== '')
                        .join(' · ')}
                    </Typography>
                  )}
                  <Box sx={{ position: 'relative', px: 1.5, py: 1, borderRadius: 1, overflow: 'hidden', bgcolor: 'action.hover' }}>
                    <Box
                      aria-hidden
                      sx={{
                        position: 'absolute',
                        inset: 0,
                        width: `${(step.rate ?? 0) * 100}%`,
                        bgcolor: 'var(--chart-accent)',
                        opacity: 0.18,
                        transition: 'width 200ms var(--ease)',
                      }}
                    />
                    <Box sx={{ position: 'relative', display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 2 }}>
                      <Box component="span" sx={{ flex: '1 1 120px', minWidth: 0, overflowWrap: 'anywhere' }}>
                        {index + 1}. {condition === undefined ? '' : say.condition(condition)}
                      </Box>
                      <Box component="span" sx={{ ml: 'auto', display: 'flex', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                        <strong style={{ fontWeight: 600 }}>{t('funnel.visitors', { count: step.visitors, countText: format.number(step.visitors) })}</strong>
                        <Box component="span" sx={{ width: { xs: 60, sm: 72 }, textAlign: 'end' }}>
                          {step.rate === null ? '' : format.percent(step.rate)}
                        </Box>
                      </Box>
                    </Box>
                  </Box>
                </Box>
              );
            })}
          </Box>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            {t('funnel.note')}
          </Typography>
        </>
      )}
    </BlockState>
  );
};

type Editing = Funnel | 'new' | null;
type FunnelsProps = InsightProps & { readonly editing: Editing; readonly onEdit: (funnel: Editing) => void };

const Funnels = (props: FunnelsProps): ReactElement => {
  const { site, change, editing, onEdit } = props;
  const { t } = useTranslation('insights');
  const result = useFunnelsQuery({ siteId: site.id });
  return (
    <>
      <BlockState name={t('funnel.title')} result={result} skeleton={<RowsSkeleton rows={4} />}>
        {(funnels) => (funnels.length === 0 ? <NoFunnel {...props} /> : <FunnelSection funnels={funnels} {...props} />)}
      </BlockState>
      {editing !== null && (
        <FunnelDialog
          siteId={site.id}
          funnel={editing === 'new' ? null : editing}
          onClose={() => onEdit(null)}
          onSaved={({ id }) => {
            onEdit(null);
            change({ at: id }, 'replace');
          }}
        />
      )}
    </>
  );
};

const NoFunnel = ({ mayWrite, onEdit }: FunnelsProps): ReactElement => {
  const { t } = useTranslation('insights');
  return (
    <EmptyState
      title={t('funnel.emptyTitle')}
      action={
        mayWrite && (
          <Button variant="contained" onClick={() => onEdit('new')}>
            {t('funnel.add')}
          </Button>
        )
      }
    >
      {t('funnel.emptyText')}
    </EmptyState>
  );
};

/** The time limit in its largest whole unit; it is stored in minutes. */
const withinText = (t: TFunction<'insights'>, { within, scope }: Funnel): string => {
  const time =
    within % minutesOf.day === 0
      ? t('funnel.days', { count: within / minutesOf.day })
      : within % minutesOf.hour === 0
        ? t('funnel.hours', { count: within / minutesOf.hour })
        : t('funnel.minutes', { count: within });
  return t('funnel.withinText', { time, scope: t(`scope.${scope}`) });
};

/** The funnel of the address, or the first one if the address names none. */
const FunnelSection = ({ funnels, ...props }: FunnelsProps & { readonly funnels: readonly Funnel[] }): ReactElement => {
  const { state, change, mayWrite } = props;
  const { t } = useTranslation('insights');
  const open = funnels.find(({ id }) => id === state.at) ?? (state.at === null ? funnels[0] : undefined);
  return (
    <Section
      title={open?.name ?? t('funnel.title')}
      note={open && withinText(t, open)}
      actions={
        <>
          {(funnels.length > 1 || open === undefined) && (
            <QuietSelect
              label={t('funnel.title')}
              value={open?.id ?? ''}
              options={funnels.map(({ id, name }) => ({ id, name }))}
              onChange={(id) => change({ at: id })}
            />
          )}
          {mayWrite && open && <FunnelActions {...props} funnel={open} />}
        </>
      }
    >
      {open ? <Steps key={open.id} {...props} funnel={open} /> : <EmptyState title={t('funnel.gone')} />}
    </Section>
  );
};

const FunnelActions = ({ site, change, funnel, onEdit }: FunnelsProps & { readonly funnel: Funnel }): ReactElement => {
  const { t } = useTranslation('insights');
  const [remove] = useRemoveFunnelMutation();
  const confirmAndRemove = useRemoval();
  const { id, name } = funnel;
  const removeFunnel = async (): Promise<void> => {
    const removed = await confirmAndRemove(
      { title: t('funnel.removeTitle', { name }), body: t('funnel.removeText') },
      () => remove({ siteId: site.id, id }),
      ['funnel.removed', { name }],
      { kind: 'funnel', siteId: site.id, id },
    );
    if (removed) change({ at: null }, 'replace');
  };
  return (
    <>
      <Button onClick={() => onEdit(funnel)}>{t('edit.edit')}</Button>
      <Button onClick={() => void removeFunnel()}>{t('edit.remove')}</Button>
    </>
  );
};

/** Not beside an empty state, which has this button itself. */
const AddFunnel = ({ siteId, onAdd }: { readonly siteId: string; readonly onAdd: () => void }): ReactElement | null => {
  const { t } = useTranslation('insights');
  const { data } = useFunnelsQuery({ siteId });
  if (data?.length === 0) return null;
  return (
    <Button variant="contained" onClick={onAdd}>
      {t('funnel.add')}
    </Button>
  );
};

/** Funnels: how many visitors reached each step, and where they dropped out. */
export const Component = (): ReactElement => {
  const [editing, setEditing] = useState<Editing>(null);
  return (
    <InsightFrame title="funnel" actions={({ site, mayWrite }) => mayWrite && <AddFunnel siteId={site.id} onAdd={() => setEditing('new')} />}>
      {(props) => <Funnels {...props} editing={editing} onEdit={setEditing} />}
    </InsightFrame>
  );
};
