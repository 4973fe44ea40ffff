import { usesOf } from '../../../../../contract/tables/fieldTypes';
import type { FieldType } from '../../../../../contract/tables/fieldTypes';
import { isResourceUse, withFilesInRows, withResourcesInHtml } from '../../../../../contract/tables/fieldTypes/fileValues';

/** Ids of the resources that take the place of those in a backup or an archive; null: the site has none, and no content came with it. */
export type BroughtFiles = ReadonlyMap<string, string | null>;

/**
 * A value of a field with the resources that took the place of those in a backup or an archive. Uses of a resource that does not exist here are left out of lists; in HTML
 * their address stays.
 */
export function withBroughtFiles(type: FieldType, value: unknown, files: BroughtFiles): unknown {
  const brought = (items: readonly unknown[]): unknown[] =>
    items.flatMap((item): unknown[] => {
      if (!isResourceUse(item)) return [item];
      const id = files.get(item.resource.toLowerCase());
      if (id === null) return [];
      return [id === undefined ? item : { ...item, resource: id }];
    });
  switch (files.size === 0 ? null : usesOf(type)) {
    case 'items':
      return Array.isArray(value) ? brought(value as readonly unknown[]) : value;
    case 'rows':
      return withFilesInRows(value, brought);
    case 'html':
      return typeof value === 'string' ? withResourcesInHtml(value, (id) => files.get(id) ?? id) : value;
    case null:
      return value;
  }
}
