import { columnOf } from '../../../../contract/tables/terms';
import { requireGrant } from '../core/access';
import { columnName, recordsTable } from '../core/ids';
import type { FieldModel } from '../core/model';
import { isEmpty, valueOf } from '../core/values/check';
import { ValueError } from '../core/values/valueErrors';
import { permitted } from '../core/write/lookups';
import { run } from '../core/write/rows';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';

/** A value as unique indexes and keys compare it; null if it is empty or invalid. */
export function comparable(field: FieldModel, raw: unknown): string | null {
  try {
    const value = valueOf(field, raw);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? (isEmpty(value) ? null : String(value)) : null;
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

/** The natural key of a row as one text; null if a part of it is empty, which matches no record. */
export function keyOf(keys: readonly FieldModel[], values: Readonly<Record<string, unknown>>): string | null {
  const parts = keys.map((field) => comparable(field, values[field.id] ?? null));
  return parts.length === 0 || parts.includes(null) ? null : JSON.stringify(parts);
}

/** Live records by natural key, limited to those that the writer may read; one query for all keys. */
export async function recordsByKey(
  w: WriteTx,
  context: TableContext,
  keys: readonly FieldModel[],
  requestedKeys: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (requestedKeys.length === 0) return found;
  const { model, table, reader } = context;
  const tuples = requestedKeys.map((key) => JSON.parse(key) as string[]);
  const names = keys.map((_, at) => `v${at}`);
  const rows = await run<{ id: string; at: string }>(
    w.tx,
    `SELECT t.id, x.at::text AS at FROM unnest(${keys.map((_, at) => `$${at + 1}::text[]`).join(', ')}) WITH ORDINALITY AS x(${[...names, 'at'].join(', ')})
     JOIN ${recordsTable(model.siteId, table.id)} t ON ${keys.map((field, at) => `t.${columnName(field.id)} = x.v${at}::${columnOf[field.type]}`).join(' AND ')} AND t.deleted_at IS NULL`,
    keys.map((_, at) => tuples.map((tuple) => tuple[at])),
  );
  const read = requireGrant(table, reader, 'read');
  const readableIds =
    read.filter === null
      ? null
      : await permitted(
          w,
          context,
          table,
          rows.map(({ id }) => id),
          { grants: [read] },
        );
  for (const { id, at } of rows) {
    if (readableIds && !readableIds.has(id)) continue;
    const key = requestedKeys[Number(at) - 1] ?? '';
    found.set(key, [...(found.get(key) ?? []), id]);
  }
  return found;
}
