import { isTableFile } from '../../../contract/resources/previews';
import { isBlocked } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import type { StoredFile } from '../../stores/files/storedFile';
import { isConfidential } from './confidential';
import { originalOf } from './files';
import * as queries from './queries';

/** A resource that content tables can import; null if the site has none with this id outside the bin, or it is no table. `size` in bytes. */
export async function openTableFile(ctx: Context, siteId: string, id: string): Promise<{ name: string; size: number; file: StoredFile } | null> {
  const found = await queries.findResource(ctx.postgres.db, siteId, id);
  if (!found || found.row.deletedAt !== null || isBlocked(found.blob) || isConfidential(found.row) || !isTableFile({ ...found.blob, name: found.row.name }))
    return null;
  return { name: found.row.name, size: found.blob.bytes, file: originalOf(ctx, siteId, found.blob.sha256) };
}
