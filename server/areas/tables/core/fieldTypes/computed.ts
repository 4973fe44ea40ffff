import { withIds } from '../../../../../contract/tables/formula';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { defineFieldType } from './definition';
import type { OptionErrors, Surroundings } from './definition';
import { tableBehind } from './references';

/** The relation that leads to other records, and the field of those records that is read. `needsTarget`: false for counting, which needs no field. */
function resolveTarget(
  { relation: link, target: name }: FieldOptions,
  around: Surroundings,
  errors: OptionErrors,
  needsTarget: boolean,
): Partial<FieldOptions> {
  if (link === undefined) return {};
  const relation = around.own(link);
  const table = relation ? tableBehind(relation, around) : null;
  if (!relation || table === null) {
    errors.add('relation', relation ? 'wrong_type' : 'unknown');
    return {};
  }
  const target = name === undefined ? null : around.fieldOf(table, name);
  if (name !== undefined && !target) errors.add('target', 'unknown');
  else if (!target && needsTarget) errors.add('target', 'required');
  if (target && (target.id === around.self || target.type === 'password' || target.type === 'button')) errors.add('target', 'wrong_type');
  return { relation: relation.id, ...(target ? { target: target.id } : {}) };
}

export const lookup = defineFieldType({ resolveOptions: (options, around, errors) => resolveTarget(options, around, errors, false) });
export const rollup = defineFieldType({
  resolveOptions: (options, around, errors) => resolveTarget(options, around, errors, options.how !== undefined && options.how !== 'count'),
});
/** References other fields by id, so that they may be renamed; unknown names are found when the formula is parsed. */
export const formula = defineFieldType({
  resolveOptions: (options, around) => (options.formula === undefined ? {} : { formula: withIds(options.formula, around.all) }),
});
export const button = defineFieldType({
  resolveOptions: ({ label, url }, around, errors) => {
    if (url !== undefined && !/^(https?:\/\/|mailto:|tel:|\/(?!\/)|\{.+\})/i.test(url)) errors.add('url', 'not_a_url');
    return {
      ...(label === undefined ? {} : { label: withIds(label, around.all, true) }),
      ...(url === undefined ? {} : { url: withIds(url, around.all, true) }),
    };
  },
});
