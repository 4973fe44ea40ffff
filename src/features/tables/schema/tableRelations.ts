import type { ContentTable } from '@contract/tables/schemas';
import { linkedTable } from '@/features/tables/records/relations';

/** Tables that this table's relations point to, and those whose relations point here, without duplicates. */
export function relatedTables(
  tables: readonly ContentTable[],
  table: ContentTable,
): { readonly to: readonly ContentTable[]; readonly from: readonly ContentTable[] } {
  const points = (from: ContentTable, to: ContentTable) => from.fields.some(({ type, options }) => type !== 'inverse' && options.to === to.id);
  return { to: tables.filter((other) => points(table, other)), from: tables.filter((other) => points(other, table)) };
}
/** Fields of other tables that depend on this table. */
export const dependentFields = (tables: readonly ContentTable[], table: ContentTable): readonly string[] =>
  tables
    .filter(({ id }) => id !== table.id)
    .flatMap((other) => other.fields.filter((field) => linkedTable(tables, field)?.id === table.id).map(({ title }) => `${other.title} · ${title}`));
