import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AggregateResult } from '@contract/tables/records';
import type { ViewQuery } from '@contract/tables/views';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { aggregates, aggregatesOf, isLocalizable, systemKinds } from '@contract/tables/terms';
import type { Aggregate, SystemField } from '@contract/tables/terms';
import { countConditions } from './filterModel';
import { FieldIcon } from './icons';
import { consoleFieldTypeOf } from '../fieldTypes';
import type { FieldEnv } from '../fieldTypes/env';
import { fieldColumn } from '../fieldTypes/fieldColumn';
import { showValue } from '../fieldTypes/show';
import type { GridColumn } from '../grid/types';
import { StateMark } from './StateMark';
import { useTableLabels } from './useTableLabels';
import { isSystem, visibleColumnsOf } from './viewState';

const systemType: Record<SystemField, TableField['type']> = {
  $id: 'text',
  $n: 'integer',
  $state: 'text',
  $createdAt: 'datetime',
  $createdBy: 'user',
  $updatedAt: 'datetime',
  $updatedBy: 'user',
  $publishedAt: 'datetime',
  $publishAt: 'datetime',
};
/** System columns in the form of fields, so that they render the same way. Created once: cells compare them by identity. */
const systemFields = new Map<string, TableField>();
export function systemField(name: SystemField, title: string): TableField {
  const key = `${name} ${title}`;
  let field = systemFields.get(key);
  if (!field) {
    field = {
      id: name,
      key: name,
      aliases: [],
      type: systemType[name],
      title,
      help: '',
      required: false,
      unique: false,
      indexed: false,
      localized: false,
      searchable: false,
      hidden: false,
      readonly: true,
      sensitive: false,
      options: {},
      rules: [],
      conditions: [],
      default: null,
      yields: systemKinds[name],
      problem: null,
      deletedAt: null,
    };
    systemFields.set(key, field);
  }
  return field;
}

/** An aggregate as text: counts as numbers, all others in the format of the field. */
export function showAggregate(field: TableField, aggregate: Aggregate, value: string | number | null, env: FieldEnv): string {
  if (value === null) return '–';
  if (aggregate === 'count' || aggregate === 'filled' || aggregate === 'empty' || aggregate === 'distinct') return env.format.number(Number(value));
  const isMean = aggregate === 'avg' || aggregate === 'median';
  if (isMean && field.yields === 'number') return env.format.number(Number(value));
  return showValue(field, value, env);
}

/** The grid's columns according to the view. */
export function useColumns({
  table,
  query,
  env,
  aggregate,
  mayWrite,
  locale,
}: {
  readonly table: ContentTable;
  readonly query: ViewQuery;
  readonly env: FieldEnv;
  /** Aggregates of the foot; undefined while they are being computed. */
  readonly aggregate: AggregateResult | undefined;
  readonly mayWrite: boolean;
  /** A language other than the table's first: only localized fields are writable in it. */
  readonly locale: string | undefined;
}): readonly GridColumn[] {
  const { t } = useTranslation('tables');
  const labels = useTableLabels(table);
  return useMemo(() => {
    const filterText = JSON.stringify(query.filter);
    return visibleColumnsOf(table, query).flatMap(({ field: name, width, pinned, aggregate: figure }): GridColumn[] => {
      const field = isSystem(name) ? systemField(name, labels.column(name)) : table.fields.find(({ id }) => id === name);
      if (!field) return [];
      const column = fieldColumn(field, env);
      const sorted = query.sort.find((one) => one.field === name);
      const translated = locale === undefined || (field.localized && isLocalizable(field.type));
      return [
        {
          ...column,
          width: width ?? consoleFieldTypeOf(field.type).width ?? (name === table.primaryField ? 260 : 160),
          ...(pinned === true ? { pinned: true } : {}),
          ...(mayWrite && translated && !isSystem(name) ? {} : { edit: 'none' as const }),
          ...(name === '$state' ? { View: StateMark } : {}),
          ...(isSystem(name) ? { system: true as const } : {}),
          ...(name === table.primaryField ? { alwaysVisible: true as const } : {}),
          icon: <FieldIcon column={{ field: isSystem(name) ? null : field }} />,
          ...(field.help === '' ? {} : { note: field.help }),
          ...(field.required ? { badge: '*' } : {}),
          ...(sorted ? { sorted: sorted.descending ? ('desc' as const) : ('asc' as const) } : {}),
          ...(query.filter !== null && countConditions(query.filter) > 0 && filterText.includes(`"${name}"`) ? { filtered: true } : {}),
          ...(figure
            ? {
                footer: {
                  name: t(`footer.${figure}`),
                  value: aggregate ? showAggregate(field, figure, aggregate.values[`${name}:${figure}`] ?? null, env) : null,
                },
              }
            : {}),
          footerChoices: (aggregates as readonly Aggregate[])
            .filter((one) => aggregatesOf(field.yields).includes(one))
            .map((id) => ({ id, name: t(`footer.${id}`) })),
        },
      ];
    });
  }, [table, query, env, aggregate, mayWrite, locale, t, labels]);
}
