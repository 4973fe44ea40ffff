import { FieldInput } from '../../../../contract/tables';
import { storedField } from './kinds';
import { addFields, lockTable } from '../ddl';
import type { TableModel } from '../model';
import { contentFields } from '../schema';
import type { Design } from './design';
import { Faults } from './faults';
import { checkTitle, prepareFields } from './prepare';
import type { Input, NewField } from './prepare';

/** Metadata and storage of fields that `prepareFields` has made. */
export async function insertFields(design: Design, table: Pick<TableModel, 'id' | 'drafts'>, fields: readonly NewField[]): Promise<void> {
  if (fields.length === 0) return;
  await lockTable(design.tx, table.id);
  await design.tx.insert(contentFields).values([...fields]);
  await addFields(design.tx, design.siteId, { id: table.id, published: table.drafts }, fields.map(storedField), design.collation);
  design.forget();
}

/** Adds a field, and its mirror in the other table where `inverseTitle` asks for one. */
export async function addField(design: Design, table: TableModel, input: Input): Promise<NewField> {
  const model = await design.model();
  const faults = new Faults();
  const [field] = prepareFields(model, table, [input], nextPosition(table), faults, () => '');
  if (!field) throw new Error('no field was prepared');
  const inverse = prepareInverse(await design.model(), table, field, input.inverseTitle, faults);
  faults.settle();
  await insertFields(design, table, [field]);
  await design.log({ tableId: table.id, fieldId: field.id, op: 'field_added', name: field.title, after: { key: field.key, type: field.type } });
  if (inverse) {
    await insertFields(design, inverse.table, [inverse.field]);
    const { id, key, type, title } = inverse.field;
    await design.log({ tableId: inverse.table.id, fieldId: id, op: 'field_added', name: title, after: { key, type } });
  }
  return field;
}

export const nextPosition = (table: Pick<TableModel, 'fields' | 'deletedFields'>): number =>
  Math.max(-1, ...[...table.fields, ...table.deletedFields].map((field) => field.position)) + 1;

/** The mirror of a relation that is being made. Within one table it looks at its own new neighbour. */
export function prepareInverse(
  model: Awaited<ReturnType<Design['model']>>,
  home: Pick<TableModel, 'id' | 'key' | 'aliases' | 'fields' | 'deletedFields' | 'drafts'>,
  relation: NewField,
  title: string | undefined,
  faults: Faults,
): { readonly table: Pick<TableModel, 'id' | 'drafts'>; readonly field: NewField } | null {
  if (title === undefined) return null;
  if (relation.type !== 'relation' && relation.type !== 'relations') {
    faults.add('inverseTitle', 'wrong_type');
    return null;
  }
  const { to } = relation.options;
  const table = to === home.id ? home : to === undefined ? undefined : model.byName.get(to);
  if (!table) return null;
  const neighbour = { ...relation, aliases: relation.aliases ?? [] };
  const beside = table.id === home.id ? [...table.fields, neighbour] : table.fields;
  const own = new Faults();
  checkTitle(title, beside, faults, 'inverseTitle');
  // `of` is set below: the relation is not among the definitions yet.
  const input = FieldInput.parse({ type: 'inverse', title, options: {} });
  const [field] = prepareFields(model, { ...table, fields: beside }, [input], nextPosition(table) + 1, own, () => '');
  return field ? { table, field: { ...field, options: { of: relation.id } } } : null;
}
