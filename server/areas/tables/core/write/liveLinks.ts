import type { FieldModel, SiteModel, TableModel } from '../model';
import { permitted } from './lookups';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';

type Values = ReadonlyMap<string, unknown>;
const idsIn = (value: unknown): string[] => [value].flat().filter((id): id is string => typeof id === 'string');
const targetOf = (model: SiteModel, { type, options }: FieldModel): TableModel | undefined =>
  type === 'relation' || type === 'relations' ? model.tables.find((table) => table.id === options.to) : undefined;

/**
 * Values of records without links into the bin: what is required and ruled holds for what readers are shown, who see no record of the bin. Links to records that
 * the writer may not see are there all the same. `all`: the records that will be asked about, by field id.
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
    const shown = new Map(values);
    for (const { field } of linking) if (shown.has(field.id)) shown.set(field.id, without(shown.get(field.id)));
    return shown;
  };
}
