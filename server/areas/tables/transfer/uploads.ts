import type { Context } from '../../../context';
import { uploadsIn } from '../../../kit/uploads';
import type { StoredFile } from '../../../stores/files/storedFile';

/** Files of imports: what was uploaded, its rows, and what else an import stores of itself. */
export const uploads = uploadsIn('table-imports');
export const uploadOf = (ctx: Context, id: string): StoredFile => uploads.file(ctx, id, 'upload');
