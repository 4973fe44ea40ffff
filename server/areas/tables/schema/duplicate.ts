import type { FieldOptions } from '../../../../contract/tables/schemas';
import { tableLimits } from '../../../../contract/tables/terms';
import { fail } from '../../../http/failure';
import { newFieldId, newTableId } from '../core/ids';
import type { FieldModel, TableModel } from '../core/model';
import type { Design } from './design';
import { freeKey, namesIn } from './keys';
import { renamedLayout } from './layout';
import type { NewField } from './prepare';
import * as queries from './queries';
import { storeTable } from './tables';

/**
 * Duplicates a table: fields, options, rules and optionally records. Inverses of other tables' relations are omitted, with the fields that read through
 * them; relations to the table itself lead to the copy. Page addresses stay with the original. Returns the id of the copy.
 */
export async function duplicateTable(design: Design, table: TableModel, title: string, records: boolean): Promise<string> {
  const model = await design.model();
  if (model.tables.length >= tableLimits.tables) fail('invalid_fields', { fields: { tables: { code: 'too_long', max: tableLimits.tables } } });
  const id = newTableId();
  const own = new Set(table.fields.map((field) => field.id));
  const dropped = new Set<string>();
  const isLeftOut = ({ type, options }: FieldModel): boolean =>
    (type === 'inverse' && !own.has(options.of ?? '')) || ((type === 'lookup' || type === 'rollup') && dropped.has(options.relation ?? ''));
  // Twice: a lookup may precede the inverse that it uses.
  for (const _ of [1, 2]) for (const field of table.fields) if (isLeftOut(field)) dropped.add(field.id);
  const copiedFields = table.fields.filter((field) => !dropped.has(field.id));
  const names = new Map([[table.id, id], ...copiedFields.map((field): [string, string] => [field.id, newFieldId()])]);
  /** Ids are unmistakable, so textual replacement updates every reference. */
  const renamed = <T>(part: T): T => JSON.parse(JSON.stringify(part).replaceAll(/[tf]_[a-z2-7]{12}/g, (found) => names.get(found) ?? found)) as T;
  const fields = copiedFields.map((field): NewField => {
    const { yields: _yields, problem: _problem, converting: _converting, deletedAt: _deletedAt, ...row } = field;
    return {
      ...row,
      id: names.get(field.id) ?? newFieldId(),
      tableId: id,
      aliases: [],
      options: renamed<FieldOptions>(field.options),
      rules: renamed(field.rules),
      conditions: renamed(field.conditions),
    };
  });
  const copy = {
    id,
    siteId: design.siteId,
    key: freeKey(title, namesIn(model.tables), 'table'),
    title,
    icon: table.icon,
    note: table.note,
    kind: table.kind,
    primaryField: names.get(table.primaryField ?? '') ?? null,
    drafts: table.drafts,
    locales: table.locales,
    trashDays: table.trashDays,
    layout: table.layout && renamedLayout(table.layout, (field) => names.get(field) ?? null),
  };
  await storeTable(design, copy, fields, records);
  if (records) {
    const pairs = Object.fromEntries(copiedFields.map((field) => [field.id, names.get(field.id) ?? '']));
    await queries.addPending(design.tx, id, { copy: { from: table.id, fields: pairs }, search: design.revision });
  }
  return id;
}
