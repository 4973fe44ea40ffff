import AddIcon from '@mui/icons-material/FilterListOutlined';
import { Button } from '@mui/material';
import { type MouseEvent, type ReactElement, Suspense } from 'react';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { FilterChip } from './FilterChip';
import { type Filter, filterText, withFilter } from './filters';
import { QuietSelect } from './QuietSelect';
import type { ReportState } from './urlState';
import { useLabels } from './useLabels';
import type { Change } from './useReportState';

const FilterEditor = lazyWithRetry(() => import(/* webpackChunkName: "filter" */ './FilterEditor'));

type FilterProps = { readonly state: ReportState; readonly change: Change };

/** The visitor filter, which has its own control; a filter like any other in the address. */
export const VisitorChoice = ({ state, change }: FilterProps): ReactElement => {
  const { t } = useLabels();
  const of = state.filters.find(({ by, op, values }) => by === 'newReturning' && op === 'is' && values.length === 1);
  const rest = state.filters.filter((one) => one !== of);
  return (
    <QuietSelect
      label={t('dimension.newReturning')}
      value={of?.values[0] ?? 'all'}
      options={(['all', 'new', 'returning'] as const).map((id) => ({ id, name: id === 'all' ? t('visitors.all') : t(`newReturning.${id}`) }))}
      onChange={(id) => change({ filters: id === 'all' ? rest : withFilter(rest, { by: 'newReturning', op: 'is', values: [id] }) })}
    />
  );
};

/** The open filter editor: where it is anchored, and the filter that it replaces, if any. */
export type FilterEditing = { readonly anchor: HTMLElement; readonly filter: Filter | null };

/** The filters as chips, and the editor that adds and changes them. */
export const FilterChips = ({
  siteId,
  state,
  change,
  editing,
  onEdit,
}: FilterProps & {
  readonly siteId: string;
  readonly editing: FilterEditing | null;
  readonly onEdit: (editing: FilterEditing | null) => void;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const apply = (next: Filter, before: Filter | null): void => {
    const others = state.filters.filter((one) => before === null || filterText(one) !== filterText(before));
    change({ filters: [...others, next] });
    onEdit(null);
  };
  return (
    <>
      {state.filters.map((filter) => (
        <FilterChip
          key={filterText(filter)}
          text={labels.filter(filter)}
          onEdit={(event: MouseEvent<HTMLElement>) => onEdit({ anchor: event.currentTarget, filter })}
          onRemove={() => change({ filters: state.filters.filter((one) => one !== filter) })}
        />
      ))}
      <Button
        size="small"
        startIcon={<AddIcon />}
        aria-haspopup="dialog"
        onClick={(event) => onEdit({ anchor: event.currentTarget, filter: null })}
        sx={{ color: 'text.secondary' }}
      >
        {t('filter.add')}
      </Button>
      {state.filters.length > 1 && (
        <Button size="small" onClick={() => change({ filters: [] })} sx={{ color: 'text.secondary' }}>
          {t('filter.clear')}
        </Button>
      )}
      {editing !== null && (
        <Suspense fallback={null}>
          <FilterEditor
            siteId={siteId}
            range={state.range}
            anchor={editing.anchor}
            filter={editing.filter}
            onApply={(next) => apply(next, editing.filter)}
            onClose={() => onEdit(null)}
          />
        </Suspense>
      )}
    </>
  );
};
