import type { ContentTable, TableField } from '@contract/tables/schemas';

/** The table that a relation of either direction points to. */
export function linkedTable(tables: readonly ContentTable[], field: Pick<TableField, 'options'> | null): ContentTable | undefined {
  if (!field) return undefined;
  if (field.options.to !== undefined) return tables.find(({ id }) => id === field.options.to);
  return field.options.of === undefined ? undefined : tables.find(({ fields }) => fields.some(({ id }) => id === field.options.of));
}
