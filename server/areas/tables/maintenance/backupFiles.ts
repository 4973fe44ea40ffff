import { createHash } from 'node:crypto';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import { DamagedContent, bringResource, contentOfResource, resourcesUsedBy } from '../../resources';
import { partBytes } from './backedUpFile';
import type { BackedUpFile } from './backedUpFile';
import { FileStop, openBackup } from './file';
import type { StoredFile } from '../../../stores/files/storedFile';

/** The files that the records of a table use. The smallest come with their content, until the limit of a backup is reached. */
export async function filesOf(ctx: Context, siteId: string, tableId: string): Promise<BackedUpFile[]> {
  let space: number = maintenanceLimits.backupFileBytes;
  return (await resourcesUsedBy(ctx, siteId, 'record', tableId)).map((resource) => {
    space -= resource.bytes;
    return { ...resource, parts: space < 0 ? null : Math.ceil(resource.bytes / partBytes) };
  });
}

/** The lines of a file: what is known of it, then its content. */
export async function* fileLines(ctx: Context, siteId: string, file: BackedUpFile): AsyncGenerator<string> {
  yield `${JSON.stringify({ file })}\n`;
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with the resources that took the place of those in the backup; uses of a resource that does not exist here are left out of lists. */
export function withBroughtFiles(value: unknown, files: BroughtFiles): unknown {
  if (files.size === 0) return value;
  const idIn = (item: unknown): string | null => (isObject(item) && typeof item['resource'] === 'string' ? item['resource'].toLowerCase() : null);
  if (Array.isArray(value))
    return (value as readonly unknown[]).filter((item) => files.get(idIn(item) ?? '') !== null).map((item) => withBroughtFiles(item, files));
  if (!isObject(value)) return value;
  const id = idIn(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'resource' && id !== null ? (files.get(id) ?? inner) : withBroughtFiles(inner, files)]),
  );
}
