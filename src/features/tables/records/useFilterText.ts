import { useTranslation } from 'react-i18next';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable } from '@contract/tables/schemas';
import { dateRanges } from '@contract/tables/terms';
import type { FilterOp } from '@contract/tables/terms';
import { findFilterColumn, operandKind } from './filterModel';
import type { FilterColumn } from './filterModel';
import { linkedTable } from './relations';
import { useTableLabels } from './useTableLabels';
import { isUuid } from '@contract/uuid';

/** The same operator has different labels by kind: “contains” for text, “is” for a number, “on” for a day. */
export const useOperatorLabel = () => {
  const { t } = useTranslation('tables');
  return ({ kind, field, id }: Pick<FilterColumn, 'id'> & Partial<FilterColumn>, op: FilterOp): string => {
    if (kind === 'date' || kind === 'datetime') {
      if (op === 'eq' || op === 'ne' || op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte') return t(`op.date.${op}`);
    }
    if (kind === 'number' && (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte' || op === 'eq' || op === 'ne')) return t(`op.number.${op}`);
    if ((field?.type === 'select' || id === '$state') && (op === 'in' || op === 'nin')) return t(`op.choice.${op}`);
    return t(`op.${op}`);
  };
};

/** Stands for an unknown table: field names are shown as written. */
const unknown: Pick<ContentTable, 'fields' | 'drafts'> = { fields: [], drafts: true };

/** A filter as a sentence. People, records and files are not looked up: only their kind is named. */
export function useFilterText(table: ContentTable | null, tables: readonly ContentTable[]): (filter: RecordFilter) => string {
  const { t } = useTranslation('tables');
  const home = table ?? (unknown as ContentTable);
  const labels = useTableLabels(home);
  const operatorLabel = useOperatorLabel();
  const titleOf = (at: ContentTable, name: string): string => (at === home ? labels.column(name) : (findFilterColumn(at, name)?.field?.title ?? name));
  const valueText = (column: FilterColumn | undefined, op: FilterOp, value: unknown): string => {
    if (Array.isArray(value)) {
      const ids = new Set((value as unknown[]).map((one) => valueText(column, op, one)));
      return [...ids].join(t(op === 'between' ? 'filter.text.to' : 'filter.text.comma'));
    }
    if (typeof value === 'boolean') return t(value ? 'filter.yes' : 'filter.no');
    if (value === '$user') return t('filter.me');
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    const range = dateRanges.find((one) => one === text);
    if (range && operandKind(op) === 'range') return t(`range.${range}`);
    if (isUuid(text)) return t('filter.text.certain');
    return (column && labels.choicesOf(column).find(({ id }) => id === text)?.name) ?? text;
  };
  const textOf = (at: ContentTable, filter: RecordFilter, inner = true): string => {
    const group = (all: readonly RecordFilter[], join: 'and' | 'or') => {
      const text = all.map((one) => textOf(at, one)).join(t(`filter.text.${join}`));
      return inner && all.length > 1 ? t('filter.text.group', { text }) : text;
    };
    if ('and' in filter) return group(filter.and, 'and');
    if ('or' in filter) return group(filter.or, 'or');
    if ('not' in filter) return t('filter.text.not', { text: textOf(at, filter.not, false) });
    const column = findFilterColumn(at, filter.field);
    const start = `${titleOf(at, filter.field)} ${operatorLabel(column ?? { id: filter.field }, filter.op)}`;
    const kind = operandKind(filter.op);
    if (kind === 'nothing') return start;
    if (kind !== 'filter') return `${start} ${valueText(column, filter.op, filter.value)}`;
    const there = (column?.field ? linkedTable(tables, column.field) : undefined) ?? (unknown as ContentTable);
    return `${start}${t('filter.text.group', { text: textOf(there, filter.value as RecordFilter, false) })}`;
  };
  return (filter) => textOf(home, filter, false);
}
