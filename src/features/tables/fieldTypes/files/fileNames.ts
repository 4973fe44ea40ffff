import type { ResourceLabel } from '@contract/resources/labels';
import { isResourceUse } from '@contract/tables/fieldTypes/fileValues';
import type { FileItem } from '@contract/tables/fieldTypes/fileValues';

export type ResourceLabels = Readonly<Record<string, ResourceLabel>> | undefined;

/** The name of a file: of its resource, its own, or the last part of its address; '' if its resource is not known. */
export function itemName(item: FileItem, labels: ResourceLabels): string {
  if (isResourceUse(item)) return labels?.[item.resource]?.name ?? '';
  if (item.name !== undefined && item.name !== '') return item.name;
  const last =
    item.url
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? item.url;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
