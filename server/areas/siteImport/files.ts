import type { Context } from '../../context';
import { uploadsIn } from '../../kit/uploads';
import type { StoredFile } from '../../stores/files/storedFile';

/** Uploaded sources of imports, and archives of sites. */
export const importFiles = uploadsIn('site-imports');
export const exportFiles = uploadsIn('site-exports');
export const sourceFile = (ctx: Context, importId: string): StoredFile => importFiles.file(ctx, importId, 'source');
export const archiveFile = (ctx: Context, exportId: string): StoredFile => exportFiles.file(ctx, exportId, 'archive');
