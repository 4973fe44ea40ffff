import type { Goal } from '@contract/insights/schemas';
import { Box, Button, Typography } from '@mui/material';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';
import { BlockState } from '../BlockState';
import { FiguresBlock } from '../FiguresBlock';
import { SeriesBlock } from '../SeriesBlock';
import { ExampleCode } from './ExampleCode';
import { GoalDialog } from './GoalDialog';
import { GoalTable } from './GoalTable';
import { InsightFrame, type InsightProps } from './InsightFrame';
import { useGoalsQuery } from './insightsApi';

const Goals = (props: InsightProps & { readonly editing: Goal | 'new' | null; readonly onEdit: (goal: Goal | 'new' | null) => void }): ReactElement => {
  const { site, state, change, mayWrite, editing, onEdit } = props;
  const { t } = useTranslation('insights');
  const result = useGoalsQuery({ siteId: site.id });
  const block = { site, state, change, today: props.today, own: state.filters, screen: 'goal', groups: ['goals'] as const };
  const chosen = result.data?.find(({ id }) => id === state.goal);
  const valued = (chosen ? [chosen] : (result.data ?? [])).some(({ worth }) => worth.kind !== 'none');
  return (
    <>
      <BlockState name={t('goal.table')} result={result} skeleton={<RowsSkeleton rows={5} />}>
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
                  <Button onClick={() => change({ goal: null })}>{t('goal.showAll')}</Button>
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

/** Not beside an empty state, which has this button itself. */
const AddGoal = ({ siteId, onAdd }: { readonly siteId: string; readonly onAdd: () => void }): ReactElement | null => {
  const { t } = useTranslation('insights');
  const { data } = useGoalsQuery({ siteId });
  if (data?.length === 0) return null;
  return (
    <Button variant="contained" onClick={onAdd}>
      {t('goal.add')}
    </Button>
  );
};

/** Goals: their definitions, how often they were reached, and their value. */
export const Component = (): ReactElement => {
  const [editing, setEditing] = useState<Goal | 'new' | null>(null);
  return (
    <InsightFrame title="goal" compares actions={({ site, mayWrite }) => mayWrite && <AddGoal siteId={site.id} onAdd={() => setEditing('new')} />}>
      {(props) => <Goals {...props} editing={editing} onEdit={setEditing} />}
    </InsightFrame>
  );
};
