import { columnOf } from '../../../../contract/tables/terms';
import { grantOf } from '../core/access';
import { linksTable } from '../core/ids';
import type { FieldModel } from '../core/model';
import { linkedRows } from '../core/read/links';
import { fieldOperand } from '../core/read/operand';
import type { ReadContext } from '../core/read/readContext';
import { isEmpty, mirrored, unchanged, valueOf } from '../core/values/check';
import { ValueError } from '../core/values/valueErrors';

/** One value typed like its column. */
const typed = (scope: ReadContext, value: unknown, kind: string): string =>
  `(SELECT x.v FROM json_to_recordset(${scope.params.bind(JSON.stringify([{ v: value }]), 'json')}) AS x(v ${kind}))`;

/**
 * SQL condition for the rows that the given values, by field name, would change; null if any of them is invalid, or in a field that the reader may not
 * see and write, so that nothing would change. `locale`: language for localized fields.
 */
export function differingSql(scope: ReadContext, values: Readonly<Record<string, unknown>>, locale: string | null): string | null {
  const parts: string[] = [];
  const [read, update] = [grantOf(scope.table, scope.reader, 'read'), grantOf(scope.table, scope.reader, 'update')];
  for (const [name, raw] of Object.entries(values)) {
    const field = scope.table.byName.get(name);
    if (!field || !read.covers(field) || !update.covers(field)) return null;
    try {
      const value = valueOf(field, raw);
      if (value !== unchanged) parts.push(differs(scope, field, value, locale));
    } catch (error) {
      if (error instanceof ValueError) return null;
      throw error;
    }
  }
  return parts.length === 0 ? 'false' : `(${parts.join(' OR ')})`;
}

function differs(scope: ReadContext, field: FieldModel, value: unknown, locale: string | null): string {
  const { row, params, model } = scope;
  const column = `${row}.${field.id}`;
  const has = (of: string): string => `coalesce(to_jsonb(${of}), 'null') NOT IN ('null', '""', '[]')`;
  if (locale !== null && field.localized) {
    const there = `${row}.tr -> ${params.bind(locale, 'text')} -> ${params.bind(field.id, 'text')}`;
    return isEmpty(value) ? `(${there}) IS NOT NULL` : `(${there}) IS DISTINCT FROM ${params.bind(JSON.stringify(value), 'jsonb')}`;
  }
  // A password always gets a new hash; an empty slug is generated from its source field.
  if (field.type === 'password' && !isEmpty(value)) return 'true';
  if (field.type === 'slug' && field.options.from !== undefined && isEmpty(value)) return 'true';
  if (field.type === 'relations') {
    const linked = linkedRows(scope, field);
    const links = linked ? `ARRAY(SELECT ${linked.scope.row}.id FROM ${linked.from} WHERE ${linked.where} ORDER BY ${linked.order})` : `'{}'::uuid[]`;
    return `${links} IS DISTINCT FROM ${params.bind(isEmpty(value) ? [] : value, 'uuid[]')}`;
  }
  const other = mirrored(model, field);
  if (other) {
    // The number of links must not reveal hidden records.
    const readGrant = grantOf(other.table, scope.reader, 'read');
    if (!readGrant.allowed || readGrant.filter !== null || !readGrant.covers(other.field)) return 'true';
    const links = `ARRAY(SELECT l.a FROM ${linksTable(model.siteId, other.field.id)} l WHERE l.b = ${row}.id ORDER BY l.a)`;
    return `${links} IS DISTINCT FROM ARRAY(SELECT u FROM unnest(${params.bind(isEmpty(value) ? [] : value, 'uuid[]')}) u ORDER BY u)`;
  }
  // Computed values cannot be written.
  if (columnOf[field.type] === 'none') return 'false';
  if (field.type === 'relation') return `${fieldOperand(scope, field).sql} IS DISTINCT FROM ${params.bind(isEmpty(value) ? null : value, 'uuid')}`;
  return isEmpty(value) ? has(column) : `${column} IS DISTINCT FROM ${typed(scope, value, columnOf[field.type])}`;
}
