import { resourceKindsOf } from '../../../../../contract/tables/fieldTypes';
import { deleteReferences, replaceReferences } from '../../../resources';
import { columnName, publishedTable, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { run } from './rows';
import type { Db, Tx } from './types';

export const isFileField = ({ type }: Pick<FieldModel, 'type'>): boolean => resourceKindsOf(type) !== null;

type Fields = readonly Pick<FieldModel, 'id'>[];
type Statement = { readonly text: string; readonly values: readonly unknown[] };
type Where = { readonly siteId: string; readonly table: Pick<TableModel, 'id' | 'drafts' | 'fields' | 'deletedFields'> };

/** Fields that hold files, also those in the bin, whose values come back with them. */
const fileFieldsOf = ({ fields, deletedFields }: Where['table']): Fields => [...fields, ...deletedFields].filter(isFileField);
const ownerOf = ({ siteId, table }: { readonly siteId: string; readonly table: Pick<TableModel, 'id'> }) => ({ siteId, source: 'record', owner: table.id });

/** Resources in the current and in the published state of records: what one of them shows must not be deleted unnoticed. */
function usedSql({ siteId, table }: Where, fields: Fields): string {
  const from = (name: string, some: Fields): string =>
    `SELECT t.id::text AS source_id, v.place, (i.item ->> 'resource')::uuid AS resource_id FROM ${name} t
       CROSS JOIN LATERAL (VALUES ${some.map(({ id }) => `('${columnName(id)}', t.${columnName(id)})`).join(', ')}) v(place, list)
       CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(v.list) = 'array' THEN v.list ELSE '[]' END) i(item)
     WHERE t.id = ANY($4::text[]::uuid[]) AND jsonb_typeof(i.item -> 'resource') = 'string'`;
  const parts = [from(recordsTable(siteId, table.id), fields)];
  const current = table.fields.filter(isFileField);
  if (table.drafts && current.length > 0) parts.push(from(publishedTable(siteId, table.id), current));
  return parts.join(' UNION ALL ');
}

/** The statement that notes which resources records use, as they are stored when it runs; null if the table has no files. */
export function noteFilesStatement(where: Where, recordIds: readonly string[]): Statement | null {
  const fields = fileFieldsOf(where.table);
  if (fields.length === 0 || recordIds.length === 0) return null;
  const { siteId, source, owner } = ownerOf(where);
  return { text: replaceReferences(usedSql(where, fields)), values: [siteId, source, owner, recordIds] };
}

/** Notes which resources records use, after they are written and in the same transaction. */
export async function noteFiles(tx: Db, where: Where, recordIds: readonly string[]): Promise<void> {
  const statement = noteFilesStatement(where, recordIds);
  if (statement) await run(tx, statement.text, statement.values);
}

/** Notes the files of all records of a table, after one of its fields was converted from or to files. */
export async function noteAllFiles(tx: Tx, where: Where, converted: Pick<FieldModel, 'id'>): Promise<void> {
  await deleteReferences(tx, ownerOf(where), { places: [converted.id] });
  const fields = fileFieldsOf(where.table);
  if (fields.length === 0) return;
  const { siteId, source, owner } = ownerOf(where);
  const ids = await run<{ id: string }>(tx, `SELECT id::text FROM ${recordsTable(siteId, where.table.id)}`, []);
  for (let at = 0; at < ids.length; at += 10_000)
    await run(tx, replaceReferences(usedSql(where, fields)), [siteId, source, owner, ids.slice(at, at + 10_000).map(({ id }) => id)]);
}

/** Forgets the files of purged records, of purged fields, or of a whole purged table. */
export const forgetFiles = (
  tx: Parameters<typeof deleteReferences>[0],
  siteId: string,
  tableId: string,
  what: { readonly recordIds: readonly string[] } | { readonly fieldIds: readonly string[] } | 'all',
): Promise<void> =>
  deleteReferences(
    tx,
    { siteId, source: 'record', owner: tableId },
    what === 'all' ? {} : 'recordIds' in what ? { sourceIds: what.recordIds } : { places: what.fieldIds },
  );
