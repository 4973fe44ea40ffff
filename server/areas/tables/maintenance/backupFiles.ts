import { createHash } from 'node:crypto';
import { usesOf } from '../../../../contract/tables/fieldTypes';
import type { FieldType } from '../../../../contract/tables/fieldTypes';
import { isResourceUse, withFilesInRows, withResourcesInHtml } from '../../../../contract/tables/fieldTypes/fileValues';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import { DamagedContent, bringResource, contentOfResource, mediaOfResource, resourcesUsedBy } from '../../resources';
import type { UsedResource } from '../../resources';
import { partBytes } from './backedUpFile';
import type { BackedUpFile } from './backedUpFile';
import { FileStop, openBackup } from './file';
import type { StoredFile } from '../../../stores/files/storedFile';

type FileOfTable = UsedResource & Pick<BackedUpFile, 'parts'>;

/** The files that the records of a table use. The smallest come with their content, until the limit of a backup is reached. */
export async function filesOf(ctx: Context, siteId: string, tableId: string): Promise<FileOfTable[]> {
  let space: number = maintenanceLimits.backupFileBytes;
  return (await resourcesUsedBy(ctx, siteId, 'record', tableId)).map((resource) => {
    space -= resource.bytes;
    return { ...resource, parts: space < 0 ? null : Math.ceil(resource.bytes / partBytes) };
  });
}

/** The lines of a file: what is known of it, with its poster and captions, then its content. */
export async function* fileLines(ctx: Context, siteId: string, file: FileOfTable): AsyncGenerator<string> {
  const { posterSha256: _poster, ...described } = file;
  const media = file.parts === null ? { poster: null, captions: [] } : await mediaOfResource(ctx, siteId, file);
  yield `${JSON.stringify({ file: { ...described, ...media } satisfies BackedUpFile })}\n`;
  if (file.parts === null || file.parts === 0) return;
  let buffered: Buffer[] = [];
  let size = 0;
  const line = (): string => {
    const part = Buffer.concat(buffered);
    const rest = part.subarray(partBytes);
    [buffered, size] = [rest.length > 0 ? [rest] : [], rest.length];
    return `${JSON.stringify({ part: part.subarray(0, partBytes).toString('base64') })}\n`;
  };
  for await (const chunk of contentOfResource(ctx, siteId, file).read() as AsyncIterable<Buffer>) {
    buffered.push(chunk);
    size += chunk.length;
    if (size >= partBytes) yield line();
  }
  if (size > 0) yield line();
}

/** Ids of the resources that take the place of those in a backup; null: the site has none, and the backup has no content. */
export type BroughtFiles = ReadonlyMap<string, string | null>;

/** An id made of two others. */
function idOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Stores the files of a backup in a site, as far as it does not have them. Repeating it adds none twice. */
export async function bringFiles(
  ctx: Context,
  { siteId, createdBy, restoreId }: { readonly siteId: string; readonly createdBy: string; readonly restoreId: string },
  file: StoredFile,
  goOn: () => Promise<void>,
): Promise<BroughtFiles> {
  const brought = new Map<string, string | null>();
  const opened = await openBackup(file, async (carried, content) => {
    await goOn();
    try {
      const uploadId = idOf(restoreId, carried.id);
      brought.set(carried.id, await bringResource(ctx, { siteId, createdBy, uploadId }, carried, content));
    } catch (error) {
      throw error instanceof DamagedContent ? new FileStop('damaged') : error;
    }
  });
  try {
    // Files come before the first record.
    await opened.records.next();
  } finally {
    await opened.close();
  }
  return brought;
}

/**
 * A value of a field with the resources that took the place of those in the backup. Uses of a resource that does not exist here are left out of lists; in HTML
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
