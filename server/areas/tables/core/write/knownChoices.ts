import { isEmpty } from '../values/check';
import type { TableModel } from '../model';
import type { Snapshot } from './rows';

type Values = Record<string, unknown>;
export const isSnapshot = (value: unknown): value is Snapshot => typeof value === 'object' && value !== null && 'values' in value;

/**
 * Makes earlier values of a table's records valid for reuse: choices removed since are dropped. If none remains, the value is `unfit`, and is omitted
 * from published states. `back`: ids of choices, by field, that are restored together with the values.
 */
export function knownChoices(table: Pick<TableModel, 'fields'>, back: ReadonlyMap<string, readonly string[]>, unfit: unknown): (earlier: Values) => Values {
  const choices = new Map(
    table.fields.flatMap(({ id, type, options }) =>
      type === 'select' || type === 'multiSelect' ? [[id, new Set([...(options.choices ?? []).map((choice) => choice.id), ...(back.get(id) ?? [])])]] : [],
    ),
  );
  if (choices.size === 0) return (earlier) => earlier;
  const known = (field: string, value: unknown): unknown => {
    const ids = choices.get(field);
    if (!ids || isEmpty(value)) return value;
    if (!Array.isArray(value)) return typeof value === 'string' && ids.has(value) ? value : unfit;
    const left = (value as readonly unknown[]).filter((id) => typeof id === 'string' && ids.has(id));
    return left.length === 0 ? unfit : left;
  };
  const all = (values: Values, keeps: (value: unknown) => boolean): Values =>
    Object.fromEntries(Object.entries(values).flatMap(([key, value]) => [[key, known(key, value)] as const].filter(([, one]) => keeps(one))));
  return (earlier) => {
    const values = all(earlier, () => true);
    const { $published: published } = values;
    return isSnapshot(published) ? { ...values, $published: { ...published, values: all(published.values, (value) => value !== unfit) } } : values;
  };
}
