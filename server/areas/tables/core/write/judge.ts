import { matchFilter, matched } from '../../../../../contract/tables/matchFilter';
import { isComputed } from '../../../../../contract/tables/terms';
import type { FieldCode } from '../../../../../contract/errors';
import type { FieldFault } from '../../../../http/failure';
import type { FieldModel, TableModel } from '../model';
import { isEmpty } from '../values/check';
import { namesIn } from './item';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';

export type Judged = {
  /** Of the record as it is to be, by field id. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Fields that are written; null: all count, as when a record is published. */
  readonly written: ReadonlySet<string> | null;
  readonly isNew: boolean;
  /** Whether what is required and ruled holds already, or only when the record is published. */
  readonly complete: boolean;
};

/**
 * What speaks against a record: fields that are read-only now, required ones that are empty, rules that do not hold (with their own words). Of a change of a
 * record that there was, only what the change touches: nobody is held up by what others have left.
 */
export function judge(
  w: WriteTx,
  { timeZone, reader }: Pick<TableContext, 'timeZone' | 'reader'>,
  table: TableModel,
  record: Judged,
  report: (field: FieldModel, fault: FieldCode | FieldFault) => void,
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
    const asked = [field.id, ...holding.filter((condition) => condition.then === 'required').flatMap((condition) => namesIn(condition.filter))];
    if ((field.required || holds('required')) && !holds('hidden') && touches(asked) && isEmpty(record.values.get(field.id))) report(field, 'required');
    for (const rule of field.rules)
      if (touches([field.id, ...namesIn(rule.filter)]) && !matchFilter(rule.filter, subject, at)) report(field, { code: 'pattern', message: rule.message });
  }
}
