import type { Report, Row } from '@contract/analytics/schemas';
import type { Goal } from '@contract/insights/schemas';
import DeleteIcon from '@mui/icons-material/DeleteOutlineOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import FilterIcon from '@mui/icons-material/FilterListOutlined';
import { Box, IconButton, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { phone, useMedia } from '@/lib/useMedia';
import { DataTable } from '@/ui/DataTable';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { isCompared, useReportQuery } from '../analyticsApi';
import { BlockState } from '../BlockState';
import { withFilter } from '../filters';
import { columnValue, measureColumns } from '../measureColumns';
import { reportQuery } from '../urlState';
import { type Labels, useLabels } from '../useLabels';
import type { InsightProps } from './InsightFrame';
import { useRemoveGoalMutation } from './insightsApi';
import { useConditionLabels } from './useConditionLabels';
import { useRemoval } from './useRemoval';

type GoalRow = { readonly goal: Goal; readonly row: Row | undefined };
type TableProps = InsightProps & { readonly goals: readonly Goal[]; readonly onEdit: (goal: Goal) => void };

/** All goals, including those that were never reached; a click on one limits the screen to it. */
export const GoalTable = ({ goals, ...props }: TableProps): ReactElement => {
  const { site, state, change } = props;
  const { t } = useTranslation('insights');
  const labels = useLabels();
  const small = useMedia(phone);
  const say = useConditionLabels();
  const [remove] = useRemoveGoalMutation();
  const confirmAndRemove = useRemoval();
  const removeGoal = ({ id, name }: Goal): Promise<boolean> =>
    confirmAndRemove(
      { title: t('goal.removeTitle', { name }), body: t('goal.removeText') },
      () => remove({ siteId: site.id, id }),
      ['goal.removed', { name }],
      { kind: 'goal', siteId: site.id, id },
    );
  const result = useReportQuery({ siteId: site.id, ...reportQuery({ ...state, goal: null }), by: 'goal', sort: 'conversions', size: 500, with: ['goals'] });
  return (
    <Section title={t('goal.table')}>
      <BlockState name={t('goal.table')} result={result} skeleton={<RowsSkeleton rows={goals.length} />}>
        {(report) => (
          <DataTable<GoalRow>
            label={t('goal.table')}
            rows={goals.map((goal) => ({ goal, row: report.rows?.find(({ key }) => key === goal.id) }))}
            rowKey={({ goal }) => goal.id}
            columns={[
              { id: 'name', name: t('goal.name'), fills: true, value: ({ goal }) => goal.name, cell: ({ goal }) => <GoalName goal={goal} /> },
              ...figureColumns(labels, report, !small),
            ]}
            onRow={({ goal }) => change({ goal: state.goal === goal.id ? null : goal.id })}
            rowHint={({ goal }) => [t(state.goal === goal.id ? 'goal.showAll' : 'goal.showOne', { name: goal.name }), definitionOf(say, goal)].join('\n')}
            totalLabel={t('goal.any')}
            actions={({ goal }) => <GoalActions goal={goal} {...props} onRemove={() => void removeGoal(goal)} />}
          />
        )}
      </BlockState>
    </Section>
  );
};

const figureColumns = (labels: Labels, report: Report, previous: boolean): Column<GoalRow>[] => {
  const visits = report.totals.visits || 0;
  // A row has only the visits that reached its goal: the rate is relative to all visits.
  const rate = (column: Column<GoalRow>): Column<GoalRow> => ({
    ...column,
    value: ({ row }) => (row?.values.conversions ?? 0) / (visits || 1),
    cell: ({ row }) => columnValue(labels, 'conversionRate', visits ? (row?.values.conversions ?? 0) / visits : null),
  });
  // A goal without a worth has no value, which differs from a value of zero.
  const worth = (column: Column<GoalRow>): Column<GoalRow> => ({
    ...column,
    cell: (row) => (row.goal.worth.kind === 'none' ? '–' : column.cell(row)),
  });
  return measureColumns<GoalRow>({
    labels,
    measures: ['conversions', 'conversionRate', 'conversionValue'],
    more: [],
    totals: report.totals,
    // Never reached: no row, which means zero for counts.
    of: ({ row }) => row?.values ?? { ...report.totals, conversions: 0, conversionRate: 0, conversionValue: 0 },
    totalsBefore: isCompared(report) ? report.compareTotals : null,
    before: ({ row }) => row?.compare ?? null,
    differences: isCompared(report) ? ['conversions'] : [],
    previous,
  }).map((column) => (column.id === 'conversionRate' ? rate(column) : column.id === 'conversionValue' ? worth(column) : column));
};

const definitionOf = (say: ReturnType<typeof useConditionLabels>, goal: Goal): string =>
  [say.condition(goal.condition), say.worth(goal)].filter((one) => one !== '').join(' · ');

/** The name with its definition beside it, on a phone below it, where both have room. */
const GoalName = ({ goal }: { readonly goal: Goal }): ReactElement => {
  const say = useConditionLabels();
  const small = useMedia(phone);
  const definition = definitionOf(say, goal);
  if (small)
    return (
      <Box component="span" sx={{ display: 'block', minWidth: 168, py: 0.5 }}>
        {goal.name}
        <Typography component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary', whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {definition}
        </Typography>
      </Box>
    );
  return (
    <>
      {goal.name}
      <Typography component="span" variant="caption" title={definition} sx={{ ml: 1, color: 'text.secondary' }}>
        {definition}
      </Typography>
    </>
  );
};

const GoalActions = ({
  state,
  change,
  mayWrite,
  goal,
  onEdit,
  onRemove,
}: Omit<TableProps, 'goals'> & { readonly goal: Goal; readonly onRemove: () => void }): ReactElement => {
  const { t } = useTranslation('insights');
  const { id, name } = goal;
  return (
    <>
      <IconButton
        size="small"
        title={t('goal.filter')}
        aria-label={`${t('goal.filter')} ${name}`}
        sx={{ p: 0.25 }}
        onClick={() => change({ filters: withFilter(state.filters, { by: 'goal', op: 'is', values: [id] }) })}
      >
        <FilterIcon fontSize="small" />
      </IconButton>
      {mayWrite && (
        <>
          <IconButton size="small" title={t('edit.edit')} aria-label={`${t('edit.edit')} ${name}`} sx={{ p: 0.25 }} onClick={() => onEdit(goal)}>
            <EditIcon fontSize="small" />
          </IconButton>
          <IconButton size="small" title={t('edit.remove')} aria-label={`${t('edit.remove')} ${name}`} sx={{ p: 0.25 }} onClick={onRemove}>
            <DeleteIcon fontSize="small" />
          </IconButton>
        </>
      )}
    </>
  );
};
