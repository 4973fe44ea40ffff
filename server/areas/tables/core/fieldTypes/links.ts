import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { idOf, idsOf } from '../values/lists';
import { asText, namesOf, textsIn } from './cells';
import { firstLink } from './choices';
import { defineFieldType } from './definition';
import type { CellContext, Conversion, OptionErrors, ServerFieldType, Surroundings } from './definition';
import { isLink, relationNamed } from './references';

/** Ids of the linked records if both fields lead to the same table, else null. */
function sameLinks(value: unknown, { from, to }: Conversion): readonly string[] | null {
  if (fieldTypeOf(from.type).family !== 'link' || from.options.to !== to.options.to) return null;
  return Array.isArray(value) ? (value as readonly string[]) : [asText(value)];
}
function resolveTable({ to }: FieldOptions, around: Surroundings, errors: OptionErrors): Partial<FieldOptions> {
  if (to === undefined) return {};
  const id = around.tableIdOf(to);
  if (id !== null) return { to: id };
  errors.add('to', 'unknown');
  return {};
}
const recordCell = (value: unknown, { plain, labels }: CellContext) => plain(namesOf(typeof value === 'string' ? [value] : textsIn(value), labels.records));
const many: ServerFieldType = { check: (raw, options) => idsOf(options, raw), listOfLinks: true, cell: recordCell };

export const user = defineFieldType({
  check: idOf,
  takesFirst: true,
  convert: firstLink,
  cell: (value, { plain, labels }) => plain(namesOf(typeof value === 'string' ? [value] : [], labels.people)),
});
export const relation = defineFieldType({
  check: idOf,
  takesFirst: true,
  resolveOptions: resolveTable,
  convert: (value, conversion) => sameLinks(value, conversion)?.[0],
  cell: recordCell,
});
export const relations = defineFieldType({ ...many, resolveOptions: resolveTable, convert: (value, conversion) => sameLinks(value, conversion) ?? undefined });
export const inverse = defineFieldType({
  ...many,
  resolveOptions: ({ of }, around, errors) => {
    if (of === undefined) return {};
    const link = relationNamed(of, around)?.field;
    if (!link) errors.add('of', 'unknown');
    else if (!isLink(link.type) || around.tableIdOf(link.options.to ?? '') !== around.tableId) errors.add('of', 'wrong_type');
    else if ((around.inverseOf(link.id)?.id ?? around.self) !== around.self) errors.add('of', 'taken');
    else return { of: link.id };
    return {};
  },
});
