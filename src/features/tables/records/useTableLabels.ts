import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice, ContentTable } from '@contract/tables/schemas';
import { filterColumns, findFilterColumn } from './filterModel';
import type { FilterColumn } from './filterModel';
import { isSystem } from './viewState';

/** The eight colours of choices, from the chart palette, which is distinguishable in greyscale and with deuteranopia. */
export const choiceColor: Record<Choice['color'], string> = {
  grey: 'var(--chart-8)',
  blue: 'var(--chart-1)',
  teal: 'var(--chart-3)',
  green: 'var(--good)',
  yellow: 'var(--chart-5)',
  orange: 'var(--chart-2)',
  red: 'var(--bad)',
  purple: 'var(--chart-7)',
};

/** Labels of columns and of their values, in the reader's language. */
export function useTableLabels(table: ContentTable) {
  const { t } = useTranslation('tables');
  return useMemo(() => {
    const column = (name: string): string =>
      isSystem(name)
        ? t(`system.${name.slice(1) as 'n'}`)
        : (findFilterColumn(table, name)?.field?.title ?? table.fields.find(({ id }) => id === name)?.title ?? name);
    const choicesOf = ({ id, field }: FilterColumn): readonly { readonly id: string; readonly name: string; readonly color: string }[] =>
      id === '$state'
        ? (['draft', 'published', 'changed'] as const).map((state) => ({ id: state, name: t(`state.${state}`), color: 'var(--ink-2)' }))
        : (field?.options.choices ?? []).map((choice) => ({ id: choice.id, name: choice.title, color: choiceColor[choice.color] }));
    const options = (some: readonly FilterColumn[] = filterColumns(table)) =>
      some.map(({ id, field }) => ({ id, name: column(id), ...(field ? {} : { group: t('system.group') }) }));
    return { column, choicesOf, options };
  }, [table, t]);
}
