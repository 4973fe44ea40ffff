import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { VitalBudget } from '@contract/vitals/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { phone, useMedia } from '@/lib/useMedia';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { IconButton } from '@/ui/PlainButton';
import { Icon } from '@/ui/Icon';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Tag } from '@/ui/Tag';
import { BudgetForm } from './BudgetForm';
import { useVitalLabels } from './useVitalLabels';
import { useRemoveVitalBudgetMutation, useVitalBudgetsQuery } from './vitalsApi';

const tones = { within: 'good', exceeded: 'bad' } as const;

function State({ budget }: { readonly budget: VitalBudget }): ReactElement {
  const { t } = useVitalLabels();
  return budget.state === 'unknown' ? <Tag>{t('budget.state.unknown')}</Tag> : <Tag tone={tones[budget.state]}>{t(`budget.state.${budget.state}`)}</Tag>;
}

function Rows({
  site,
  rows,
  onEdit,
}: {
  readonly site: Site;
  readonly rows: readonly VitalBudget[];
  readonly onEdit: (budget: VitalBudget) => void;
}): ReactElement {
  const { t, value } = useVitalLabels();
  const confirm = useConfirm();
  const dispatch = useAppDispatch();
  const [remove] = useRemoveVitalBudgetMutation();
  const ruleOf = ({ metric, percentile, most }: VitalBudget): string =>
    t('budget.rule', { metric: t(`metric.${metric}.short`), percentile: `p${percentile}`, most: value(metric, most) });
  const removeOne = async (budget: VitalBudget): Promise<void> => {
    if (!(await confirm({ title: t('budget.removeTitle'), body: ruleOf(budget), confirm: t('budget.remove'), danger: true }))) return;
    const { error } = await remove({ siteId: site.id, id: budget.id });
    dispatch(noticeShown(isFailure(error) ? { tone: 'bad', message: failureMessage(error) } : { tone: 'good', message: { key: 'vitals:budget.removed' } }));
  };
  const where = ({ pathPattern, device }: VitalBudget): string =>
    [pathPattern === '' ? t('budget.allPages') : pathPattern, device === '' ? t('controls.allDevices') : t(`device.${device}`)].join(t('separator'));
  return (
    <DataTable<VitalBudget>
      label={t('budget.title')}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { id: 'rule', name: t('budget.title'), fills: true, cell: (row) => `${ruleOf(row)}${t('separator')}${where(row)}` },
        { id: 'value', name: t('budget.now'), numeric: true, width: 96, cell: ({ metric, value: now }) => value(metric, now) },
        { id: 'state', name: t('budget.stateTitle'), width: 132, cell: (row) => <State budget={row} /> },
      ]}
      {...(mayOnSite(site.role, 'analytics.configure')
        ? {
            actions: (row: VitalBudget) => (
              <>
                <IconButton label={t('budget.edit')} onClick={() => onEdit(row)}>
                  <Icon name="settings" size={16} />
                </IconButton>
                <IconButton label={t('budget.remove')} onClick={() => void removeOne(row)}>
                  <Icon name="close" size={16} />
                </IconButton>
              </>
            ),
          }
        : {})}
    />
  );
}

/** The budgets of a site and their state. */
export default function BudgetsDialog({ site, onClose }: { readonly site: Site; readonly onClose: () => void }): ReactElement {
  const { t } = useVitalLabels();
  const titleId = useId();
  const fullScreen = useMedia(phone);
  const [editing, setEditing] = useState<VitalBudget | 'new' | null>(null);
  const result = useVitalBudgetsQuery({ siteId: site.id });
  const mayWrite = mayOnSite(site.role, 'analytics.configure');
  if (editing !== null) return <BudgetForm siteId={site.id} budget={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth fullScreen={fullScreen} maxWidth="md">
      <DialogTitle id={titleId}>{t('budget.title')}</DialogTitle>
      <DialogContent>
        <ResultState result={result} skeleton={<RowsSkeleton rows={3} />}>
          {({ rows, recipients }) => (
            <>
              <p className="vitals-verdict">{t('budget.recipients', { count: recipients })}</p>
              {rows.length === 0 ? (
                <EmptyState ghost="rows" title={t('budget.emptyTitle')}>
                  {t('budget.emptyText')}
                </EmptyState>
              ) : (
                <Rows site={site} rows={rows} onEdit={setEditing} />
              )}
            </>
          )}
        </ResultState>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('budget.close')}</Button>
        {mayWrite && (
          <Button variant="contained" onClick={() => setEditing('new')}>
            {t('budget.add')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
