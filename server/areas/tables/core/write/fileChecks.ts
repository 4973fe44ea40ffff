import { fileItemsOf, isResourceUse } from '../../../../../contract/tables/fieldTypes/fileValues';
import { resourceKindsOf, resourcesOf, usesOf } from '../../../../../contract/tables/fieldTypes';
import type { ResourceKind } from '../../../../../contract/resources/terms';
import { usableResources } from '../../../resources';
import type { FieldModel, TableModel } from '../model';
import type { TableContext } from '../tableContext';
import { isObject } from '../values/lists';
import { addError } from './item';
import type { Item } from './item';
import type { WriteOptions, WriteTx } from './types';

/** What pictures in repeaters may be. */
const picturesInRows: readonly ResourceKind[] = ['image', 'svg'];
const kindsOf = ({ type }: FieldModel): readonly ResourceKind[] | null => resourceKindsOf(type) ?? (usesOf(type) === 'rows' ? picturesInRows : null);

type Use = { readonly id: string; readonly path: string };
const usesInList = (value: unknown, path: string): Use[] =>
  fileItemsOf(value).flatMap((use, at) => (isResourceUse(use) ? [{ id: use.resource, path: `${path}${at}.resource` }] : []));
const usesInRows = (value: unknown): Use[] =>
  Array.isArray(value)
    ? (value as readonly unknown[]).flatMap((row, at) => (isObject(row) ? Object.entries(row).flatMap(([key, part]) => usesInList(part, `${at}.${key}.`)) : []))
    : [];

/**
 * Resources of lists must exist in the site, be outside the bin, and be of a kind that the field takes. Those that a record already uses may stay, whatever happened
 * to them since. Addresses in rich text are not checked: whoever reads it gets the pictures that exist.
 */
export async function checkFiles(
  w: WriteTx,
  context: TableContext,
  table: TableModel,
  items: readonly Item[],
  { incoming }: Pick<WriteOptions, 'incoming'>,
): Promise<void> {
  const written = table.fields.flatMap((field) => {
    const kinds = kindsOf(field);
    if (kinds === null) return [];
    return items.flatMap((item) => {
      const before = new Set(resourcesOf(field.type, item.row?.values.get(field.id)));
      const value = item.set.get(field.id);
      const uses = usesOf(field.type) === 'rows' ? usesInRows(value) : usesInList(value, '');
      return uses.flatMap((use) => (before.has(use.id) ? [] : [{ item, field, kinds, ...use }]));
    });
  });
  if (written.length === 0) return;
  const known = await usableResources(w.tx, context.model.siteId, [...new Set(written.map(({ id }) => id))]);
  for (const { item, field, kinds, path, id } of written) {
    const kind = incoming?.get(id);
    const resource = kind === undefined ? known.get(id) : { kind, removed: false, confidential: false };
    if (!resource || resource.removed || resource.confidential) addError(item, field, 'unknown', path);
    else if (!kinds.includes(resource.kind)) addError(item, field, 'wrong_type', path);
  }
}
