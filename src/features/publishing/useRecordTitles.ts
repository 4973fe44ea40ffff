import { textOf } from '@contract/tables/fieldText';
import type { ContentTable } from '@contract/tables/schemas';
import type { Site } from '@contract/sites/schemas';
import { useRecordsQuery, useTablesQuery } from '@/features/tables/tablesApi';

type Titled = { readonly id: string; readonly title: string };

/** The value that names a record, or its number. */
const titleOf = (
  table: ContentTable | undefined,
  { n, values }: { readonly n: number; readonly values: Readonly<Record<string, unknown>> },
  timeZone: string,
): string => {
  const primary = table?.fields.find(({ id }) => id === table.primaryField);
  const text = primary ? textOf(primary, values[primary.id], { timeZone }) : '';
  return text === '' ? `#${String(n)}` : text;
};

type Search = { readonly ids: readonly string[] } | { readonly q: string };

/** Records of a table with their titles: those with the ids, or those that contain the text. Null ids or an empty table: nothing is fetched. */
export function useRecordTitles(site: Site, tableId: string, search: Search): { readonly rows: readonly Titled[]; readonly isFetching: boolean } {
  const { data: tables, isLoading } = useTablesQuery({ siteId: site.id });
  const table = tables?.find(({ id }) => id === tableId);
  const query =
    'ids' in search ? { ids: search.ids.join(','), limit: Math.max(1, search.ids.length) } : { ...(search.q === '' ? {} : { q: search.q }), limit: 20 };
  const nothing = !table || ('ids' in search && search.ids.length === 0);
  const records = useRecordsQuery({ siteId: site.id, table: tableId, fields: table?.primaryField ?? '-', ...query }, { skip: nothing });
  const { data } = records;
  const isFetching = isLoading || records.isFetching;
  const found = nothing ? [] : (data?.rows ?? []).map((row) => ({ id: row.id, title: titleOf(table, row, site.timeZone) }));
  if (!('ids' in search)) return { rows: found, isFetching };
  const byId = new Map(found.map((row) => [row.id, row]));
  return { rows: search.ids.flatMap((id) => byId.get(id) ?? []), isFetching };
}
