import { fileItemsOf, isResourceUse, resourcesIn } from '../../../../../contract/tables/fieldTypes/fileValues';
import { resourceKindsOf } from '../../../../../contract/tables/fieldTypes';
import { usableResources } from '../../../resources';
import type { TableModel } from '../model';
import type { TableContext } from '../tableContext';
import { addError } from './item';
import type { Item } from './item';
import type { WriteTx } from './types';

/**
 * Resources must exist in the site, be outside the bin, and be of a kind that the field takes. Those that a record already uses may stay, whatever happened to
 * them since.
 */
export async function checkFiles(w: WriteTx, context: TableContext, table: TableModel, items: readonly Item[]): Promise<void> {
  const written = table.fields.flatMap((field) => {
    const kinds = resourceKindsOf(field.type);
    if (kinds === null) return [];
    return items.flatMap((item) => {
      const before = new Set(resourcesIn(item.row?.values.get(field.id)));
      const uses = item.set.has(field.id) ? fileItemsOf(item.set.get(field.id)) : [];
      return uses.flatMap((use, at) => (isResourceUse(use) && !before.has(use.resource) ? [{ item, field, kinds, at, id: use.resource }] : []));
    });
  });
  if (written.length === 0) return;
  const known = await usableResources(w.tx, context.model.siteId, [...new Set(written.map(({ id }) => id))]);
  for (const { item, field, kinds, at, id } of written) {
    const resource = known.get(id);
    if (!resource || resource.removed) addError(item, field, 'unknown', `${at}.resource`);
    else if (!kinds.includes(resource.kind)) addError(item, field, 'wrong_type', `${at}.resource`);
  }
}
