import type { Row } from '@contract/analytics/schemas';
import type { Goal } from '@contract/insights/schemas';
import DeleteIcon from '@mui/icons-material/DeleteOutlineOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import FilterIcon from '@mui/icons-material/FilterListOutlined';
import { Box, Button, IconButton, Typography } from '@mui/material';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '@/ui/confirmContext';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { isCompared, useReportQuery } from '../analyticsApi';
import { BlockState } from '../BlockState';
import { FiguresBlock } from '../FiguresBlock';
import { withFilter } from '../filters';
import { measureColumns } from '../measureColumns';
import { SeriesBlock } from '../SeriesBlock';
import { reportQuery } from '../urlState';
import { useLabels } from '../useLabels';
import { ExampleCode } from './ExampleCode';
import { GoalDialog } from './GoalDialog';
import { InsightFrame, type InsightProps } from './InsightFrame';
import { useGoalsQuery, useRemoveGoalMutation } from './insightsApi';
import { useConditionLabels, useTell } from './useConditionLabels';

type Line = { readonly goal: Goal; readonly row: Row | undefined };

const GoalTable = ({ site, state, change, mayWrite, goals, onEdit }: InsightProps & { goals: readonly Goal[]; onEdit: (goal: Goal) => void }): ReactElement => {
  const { t } = useTranslation('insights');
  const labels = useLabels();
  const say = useConditionLabels();
  const tell = useTell();
  const confirm = useConfirm();
  const [remove] = useRemoveGoalMutation();
  const answer = useReportQuery({ siteId: site.id, ...reportQuery({ ...state, goal: null }), by: 'goal', sort: 'conversions', size: 500, with: ['goals'] });
  const ask = async (goal: Goal): Promise<void> => {
    if (!(await confirm({ title: t('goal.removeTitle', { name: goal.name }), body: t('goal.removeText'), confirm: t('edit.remove'), danger: true }))) return;
    const done = await remove({ siteId: site.id, id: goal.id });
    if (done.error === undefined) tell.good('goal.removed', { name: goal.name });
    else tell.bad(done.error);
  };
  return (
    <Section title={t('goal.table')}>
      <BlockState name={t('goal.table')} answer={answer} skeleton={<RowsSkeleton rows={goals.length} />}>
        {(report) => (
          <DataTable<Line>
            label={t('goal.table')}
            rows={goals.map((goal) => ({ goal, row: report.rows?.find(({ key }) => key === goal.id) }))}
            rowKey={({ goal }) => goal.id}
            columns={[
              {
                id: 'name',
                name: t('goal.name'),
                fills: true,
                value: ({ goal }) => goal.name,
                cell: ({ goal }) => (
                  <>
                    {goal.name}
                    <Typography component="span" variant="caption" sx={{ ml: 1, color: 'text.secondary' }}>
                      {[say.condition(goal.condition), say.worth(goal)].filter((one) => one !== '').join(' · ')}
                    </Typography>
                  </>
                ),
              },
              ...measureColumns<Line>({
                labels,
                measures: ['conversions', 'conversionRate', 'conversionValue'],
                more: [],
                totals: report.totals,
                // Never reached: no row, which means zero for counts.
                of: ({ row }) => row?.values ?? { ...report.totals, conversions: 0, conversionRate: 0, conversionValue: 0 },
                before: ({ row }) => (isCompared(report) ? (row?.compare ?? null) : null),
                differences: ['conversions'],
              }).map((column) =>
                // A row has only the visits that reached its goal: the rate is relative to all visits.
                column.id === 'conversionRate'
                  ? {
                      ...column,
                      value: ({ row }: Line) => (row?.values.conversions ?? 0) / (report.totals.visits || 1),
                      cell: ({ row }: Line) =>
                        labels.value('conversionRate', report.totals.visits ? (row?.values.conversions ?? 0) / report.totals.visits : null),
                    }
                  : column.id === 'conversionValue'
                    ? // A goal without a worth has no value, which differs from a value of zero.
                      { ...column, cell: (line: Line) => (line.goal.worth.kind === 'none' ? '–' : column.cell(line)) }
                    : column,
              ),
            ]}
            onRow={({ goal }) => change({ goal: state.goal === goal.id ? null : goal.id })}
            rowHint={({ goal }) => t(state.goal === goal.id ? 'goal.showAll' : 'goal.showOne', { name: goal.name })}
            totalLabel={t('goal.any')}
            actions={({ goal }) => (
              <>
                <IconButton
                  size="small"
                  title={t('goal.filter')}
                  aria-label={`${t('goal.filter')} ${goal.name}`}
                  sx={{ p: 0.25 }}
                  onClick={() => change({ filters: withFilter(state.filters, { by: 'goal', op: 'is', values: [goal.id] }) })}
                >
                  <FilterIcon sx={{ fontSize: 15 }} />
                </IconButton>
                {mayWrite && (
                  <>
                    <IconButton size="small" title={t('edit.edit')} aria-label={`${t('edit.edit')} ${goal.name}`} sx={{ p: 0.25 }} onClick={() => onEdit(goal)}>
                      <EditIcon sx={{ fontSize: 15 }} />
                    </IconButton>
                    <IconButton
                      size="small"
                      title={t('edit.remove')}
                      aria-label={`${t('edit.remove')} ${goal.name}`}
                      sx={{ p: 0.25 }}
                      onClick={() => void ask(goal)}
                    >
                      <DeleteIcon sx={{ fontSize: 15 }} />
                    </IconButton>
                  </>
                )}
              </>
            )}
          />
        )}
      </BlockState>
    </Section>
  );
};

const Goals = (props: InsightProps & { readonly editing: Goal | 'new' | null; readonly onEdit: (goal: Goal | 'new' | null) => void }): ReactElement => {
  const { site, state, change, mayWrite, editing, onEdit } = props;
  const { t } = useTranslation('insights');
  const answer = useGoalsQuery({ siteId: site.id });
  const block = { site, state, change, today: props.today, own: state.filters, screen: 'goal', groups: ['goals'] as const };
  const chosen = answer.data?.find(({ id }) => id === state.goal);
  const valued = (chosen ? [chosen] : (answer.data ?? [])).some(({ worth }) => worth.kind !== 'none');
  return (
    <>
      <BlockState name={t('goal.table')} answer={answer} skeleton={<RowsSkeleton rows={5} />}>
        {(goals) =>
          goals.length === 0 ? (
            <EmptyState
              title={t('goal.emptyTitle')}
              action={
                mayWrite && (
                  <Button variant="contained" onClick={() => onEdit('new')}>
                    {t('goal.add')}
                  </Button>
                )
              }
            >
              <p>{t('goal.emptyText')}</p>
              <ExampleCode code="sitewright('signup', {plan: 'pro'})">{t('event.example')}</ExampleCode>
            </EmptyState>
          ) : (
            <>
              {state.goal !== null && (
                <Box sx={{ mb: 2, display: 'flex', alignItems: 'center', gap: 1 }}>
                  <Typography variant="body2">{chosen ? t('goal.onlyOne', { name: chosen.name }) : t('goal.gone')}</Typography>
                  <Button size="small" onClick={() => change({ goal: null })}>
                    {t('goal.showAll')}
                  </Button>
                </Box>
              )}
              {(state.goal === null || chosen) && (
                <>
                  <FiguresBlock
                    {...block}
                    measures={valued ? ['conversions', 'conversionRate', 'conversionValue', 'visits'] : ['conversions', 'conversionRate', 'visits']}
                  />
                  <SeriesBlock {...block} measures={['conversions', 'conversionRate']} />
                </>
              )}
              <GoalTable {...props} goals={goals} />
            </>
          )
        }
      </BlockState>
      {editing !== null && <GoalDialog siteId={site.id} goal={editing === 'new' ? null : editing} onClose={() => onEdit(null)} />}
    </>
  );
};

/** Goals: their definitions, how often they were reached, and their value. */
export const Component = (): ReactElement => {
  const { t } = useTranslation('insights');
  const [editing, setEditing] = useState<Goal | 'new' | null>(null);
  return (
    <InsightFrame
      title="goal"
      compares
      actions={({ mayWrite }) =>
        mayWrite && (
          <Button variant="contained" onClick={() => setEditing('new')}>
            {t('goal.add')}
          </Button>
        )
      }
    >
      {(props) => <Goals {...props} editing={editing} onEdit={setEditing} />}
    </InsightFrame>
  );
};
