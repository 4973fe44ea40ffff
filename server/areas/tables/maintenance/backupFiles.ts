import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import { DamagedContent, bringResource, contentOfResource, mediaOfResource, resourcesUsedBy } from '../../resources';
import type { UsedResource } from '../../resources';
import { idOf } from '../core/ids';
import type { BroughtFiles } from '../core/values/broughtFiles';
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
      brought.set(carried.id, (await bringResource(ctx, { siteId, createdBy, uploadId }, carried, content))?.id ?? null);
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
