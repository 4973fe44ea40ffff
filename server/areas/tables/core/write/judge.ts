import { matchFilter, matched } from '../../../../../contract/tables/matchFilter';
import { isComputed } from '../../../../../contract/tables/terms';
import type { FieldCode } from '../../../../../contract/errors';
import type { FieldError } from '../../../../http/failure';
import type { FieldModel, TableModel, SiteModel } from '../model';
import { isEmpty } from '../values/check';
import { namesIn } from './item';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { permitted } from './lookups';

export type Judged = {
  /** Values that the record would have, by field id. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Fields that are written; null: all are checked, as when publishing. */
  readonly written: ReadonlySet<string> | null;
  readonly isNew: boolean;
  /** Whether required fields and rules apply now, or only when the record is published. */
  readonly complete: boolean;
};

/**
 * Errors of a record: read-only fields, empty required fields, violated rules (with their own messages). For an update, only fields that it touches:
 * nobody is blocked by errors that others left.
 */
export function judge(
  w: WriteTx,
  { timeZone, reader }: Pick<TableContext, 'timeZone' | 'reader'>,
  table: TableModel,
  record: Judged,
  report: (field: FieldModel, error: FieldCode | FieldError) => void,
): void {
  const subject = matched(table.fields, Object.fromEntries(record.values));
  const at = { now: w.now.getTime(), zone: timeZone, userId: reader.userId };
  const touches = (names: readonly string[]): boolean =>
    record.isNew || record.written === null || names.some((name) => record.written?.has(table.byName.get(name)?.id ?? '') === true);
  for (const field of table.fields) {
    if (isComputed(field.type) || field.type === 'inverse') continue;
    const holding = field.conditions.filter((condition) => matchFilter(condition.filter, subject, at));
    const holds = (then: 'hidden' | 'required' | 'readonly'): boolean => holding.some((condition) => condition.then === then);
    if (record.written?.has(field.id) === true && holds('readonly')) report(field, 'readonly');
    if (!record.complete) continue;
    const dependencies = [field.id, ...holding.filter((condition) => condition.then === 'required').flatMap((condition) => namesIn(condition.filter))];
    if ((field.required || holds('required')) && !holds('hidden') && touches(dependencies) && isEmpty(record.values.get(field.id))) report(field, 'required');
    for (const rule of field.rules)
      if (touches([field.id, ...namesIn(rule.filter)]) && !matchFilter(rule.filter, subject, at)) report(field, { code: 'pattern', message: rule.message });
  }
}

type Values = ReadonlyMap<string, unknown>;
const idsIn = (value: unknown): string[] => [value].flat().filter((id): id is string => typeof id === 'string');
const targetOf = (model: SiteModel, { type, options }: FieldModel): TableModel | undefined =>
  type === 'relation' || type === 'relations' ? model.tables.find((table) => table.id === options.to) : undefined;

/**
 * Values of records without links into the bin: required fields and rules are judged by what readers see, who see no records in the bin. Links hidden
 * from the writer count. `all`: the records that will be looked up, by field id.
 */
export async function liveLinks(w: WriteTx, context: TableContext, table: TableModel, all: readonly Values[]): Promise<(values: Values) => Values> {
  const linking = table.fields.flatMap((field) => {
    const target = targetOf(context.model, field);
    return target ? [{ field, target }] : [];
  });
  const linked = new Map<TableModel, Set<string>>();
  for (const { field, target } of linking) {
    const ids = linked.get(target) ?? new Set();
    for (const values of all) for (const id of idsIn(values.get(field.id))) ids.add(id);
    linked.set(target, ids);
  }
  const live = new Set<string>();
  for (const [target, ids] of linked) for (const id of await permitted(w, context, target, [...ids], { grants: [] })) live.add(id);
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return idsIn(value).filter((id) => live.has(id));
    return typeof value === 'string' && !live.has(value) ? null : value;
  };
  return (values) => {
    const visibleValues = new Map(values);
    for (const { field } of linking) if (visibleValues.has(field.id)) visibleValues.set(field.id, without(visibleValues.get(field.id)));
    return visibleValues;
  };
}
