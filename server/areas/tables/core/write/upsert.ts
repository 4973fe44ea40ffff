import { canBeIndexed } from '../../../../../contract/tables/terms';
import { failField } from '../../../../http/failure';
import { grantOf } from '../access';
import { newRecordId } from '../ids';
import { isEmpty, valueOf } from '../values/check';
import { ValueError } from '../values/valueErrors';
import { permitted, recordsWith } from './lookups';
import type { TableContext } from '../tableContext';
import type { Change, WriteTx } from './types';

type Values = Readonly<Record<string, unknown>>;

/**
 * Resolves records to create or, if one has the same value in a unique or indexed field, to update. Throws `invalid_fields`: `duplicate` for a value
 * that several records have or that is given twice; other errors in values are reported by the write.
 */
export async function upserts(w: WriteTx, context: TableContext, records: readonly Values[], on: string): Promise<Change[]> {
  const { table, model, reader } = context;
  const read = grantOf(table, reader, 'read');
  const field = table.byName.get(on);
  if (!field || !read.covers(field)) return failField('upsertOn', 'unknown_field');
  if (!canBeIndexed(field.type) || !(field.isUnique || field.indexed)) return failField('upsertOn', 'wrong_type');
  const keys = records.map((values) => {
    const named = Object.entries(values).find(([name]) => table.byName.get(name)?.id === field.id);
    try {
      const value = named ? valueOf(field, named[1]) : null;
      return isEmpty(value) || Array.isArray(value) ? null : String(value);
    } catch (error) {
      if (error instanceof ValueError) return null;
      throw error;
    }
  });
  const uniqueKeys = [...new Set(keys.filter((key) => key !== null))];
  const found = await recordsWith(w.tx, model.siteId, table.id, field, uniqueKeys);
  const visibleIds = await permitted(w, context, table, [...found.values()].flat(), { grants: [read] });
  const used = new Set<string>();
  return records.map((values, at): Change => {
    const key = keys[at] ?? null;
    if (key === null) return { kind: 'create', values, id: newRecordId(w.now.getTime()) };
    const ids = (found.get(key) ?? []).filter((id) => visibleIds.has(id));
    if (ids.length > 1 || used.has(key)) failField(`records.${at}.${on}`, 'duplicate');
    used.add(key);
    const [id] = ids;
    return id === undefined ? { kind: 'create', values, id: newRecordId(w.now.getTime()) } : { kind: 'update', id, values };
  });
}
