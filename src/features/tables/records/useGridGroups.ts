import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AggregateResult } from '@contract/tables/records';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import type { ViewQuery } from '@contract/tables/views';
import { joinedLabels } from '../fieldTypes/env';
import type { FieldEnv } from '../fieldTypes/env';
import { showValue } from '../fieldTypes/show';
import type { GridGroup } from '../grid/types';
import { groupLines } from './groups';
import { showAggregate, systemField } from './useColumns';
import { useTableLabels } from './useTableLabels';
import { isSystem, visibleColumnsOf } from './viewState';

/** Group headings with their aggregates; undefined where the view has no groups, or they are not counted yet. */
export function useGridGroups(table: ContentTable, query: ViewQuery, grouped: AggregateResult | undefined, env: FieldEnv): readonly GridGroup[] | undefined {
  const { t } = useTranslation('tables');
  const labels = useTableLabels(table);
  const { group } = query;
  return useMemo(() => {
    if (group.length === 0 || !grouped) return undefined;
    const fieldOf = (name: string): TableField | undefined =>
      isSystem(name) ? systemField(name, labels.column(name)) : table.fields.find(({ id }) => id === name);
    const fields = group.map(fieldOf);
    const shownEnv = { ...env, labels: joinedLabels(env.labels, grouped.labels) };
    const nameOf = (field: TableField | undefined, key: unknown): string => {
      if (key === null || key === '') return t('group.empty');
      if (field?.id === '$state') return t(`state.${key as 'draft'}`);
      if (field?.yields === 'boolean') return t(key === true ? 'filter.yes' : 'filter.no');
      return field ? showValue(field, key, shownEnv) : JSON.stringify(key);
    };
    const descending = group.map((name) => query.sort.find(({ field }) => field === name)?.descending ?? false);
    return groupLines(grouped.groups, descending).map(({ id, depth, key, first, count, values }) => {
      const field = fields[depth];
      const label = nameOf(field, key);
      const footers = Object.fromEntries(
        visibleColumnsOf(table, query).flatMap(({ field: column, aggregate }) => {
          const of = fieldOf(column);
          return aggregate && values && of ? [[column, showAggregate(of, aggregate, values[`${column}:${aggregate}`] ?? null, env)]] : [];
        }),
      );
      return { id, depth, label, name: `${field?.title ?? ''}: ${label}`, first, count, footers };
    });
  }, [group, grouped, table, query, env, t, labels]);
}
