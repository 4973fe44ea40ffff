import { resourceRoot } from '../../../../../contract/resources/alias';
import { resourceKindsOf, usesOf } from '../../../../../contract/tables/fieldTypes';
import { deleteReferences, replaceReferences } from '../../../resources';
import { columnName, publishedTable, recordsTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { run } from './rows';
import type { Db, Tx } from './types';
import { uuidPattern } from '../../../../../contract/uuid';

export const isFileField = ({ type }: Pick<FieldModel, 'type'>): boolean => resourceKindsOf(type) !== null;
/** Whether values may use resources: files, pictures in rich text, files in repeaters. */
export const usesResources = ({ type }: Pick<FieldModel, 'type'>): boolean => usesOf(type) !== null;

type Fields = readonly Pick<FieldModel, 'id' | 'type'>[];
type Statement = { readonly text: string; readonly values: readonly unknown[] };
type Where = { readonly siteId: string; readonly table: Pick<TableModel, 'id' | 'drafts' | 'fields' | 'deletedFields'> };

/** Fields that use resources, also those in the bin, whose values come back with them. */
const fileFieldsOf = ({ fields, deletedFields }: Where['table']): Fields => [...fields, ...deletedFields].filter(usesResources);
const ownerOf = ({ siteId, table }: { readonly siteId: string; readonly table: Pick<TableModel, 'id'> }) => ({ siteId, source: 'record', owner: table.id });

/** Addresses of resources in HTML. Columns of text have a collation that regular expressions do not support. */
const addressInHtml = `="${resourceRoot}/(${uuidPattern})/`;
/** Ids of resources that a column of the row `t` uses, as texts in the column `id`. */
const idsIn: Readonly<Record<NonNullable<ReturnType<typeof usesOf>>, (column: string) => string>> = {
  items: (column) => `SELECT jsonb_path_query(t.${column}, 'lax $[*].resource') #>> '{}' AS id`,
  rows: (column) => `SELECT jsonb_path_query(t.${column}, 'lax $[*].*[*].resource') #>> '{}' AS id`,
  html: (column) => `SELECT lower(m[1]) AS id FROM (SELECT t.${column} COLLATE "C" AS html UNION ALL SELECT l.value ->> '${column}' FROM jsonb_each(t.tr) l) h
    CROSS JOIN LATERAL regexp_matches(h.html, '${addressInHtml}', 'gi') m`,
};

/** Resources in the current and in the published state of records: what one of them shows must not be deleted unnoticed. */
function usedSql({ siteId, table }: Where, fields: Fields): string {
  const from = (name: string, some: Fields): string[] =>
    some.map(({ id, type }) => {
      const column = columnName(id);
      return `SELECT t.id::text AS source_id, '${column}' AS place, u.id::uuid AS resource_id FROM ${name} t CROSS JOIN LATERAL (${idsIn[usesOf(type) ?? 'items'](column)}) u
        WHERE t.id = ANY($4::text[]::uuid[]) AND u.id IS NOT NULL`;
    });
  const parts = from(recordsTable(siteId, table.id), fields);
  if (table.drafts) parts.push(...from(publishedTable(siteId, table.id), table.fields.filter(usesResources)));
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
