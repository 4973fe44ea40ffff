import { editedSize } from '../../../contract/resources/edits';
import type { ImageEdit } from '../../../contract/resources/edits';
import type { Resource } from '../../../contract/resources/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './queries';
import type { BlobRow, Position, ResourceWithBlob } from './queries';

/** Width and height after rotation and crop; null without dimensions. */
export const displayedSize = ({ width, height }: Pick<BlobRow, 'width' | 'height'>, edit: ImageEdit): Pick<BlobRow, 'width' | 'height'> =>
  width === null || height === null ? { width, height } : editedSize({ width, height }, edit);

export const resourceResponse = ({ row, blob, uses }: ResourceWithBlob): Resource => ({
  id: row.id,
  kind: row.kind,
  folderId: row.folderId,
  name: row.name,
  title: row.title,
  alt: row.alt,
  caption: row.caption,
  tags: row.tags,
  contentType: blob.contentType,
  bytes: blob.bytes,
  sha256: blob.sha256,
  ...displayedSize(blob, row),
  originalWidth: blob.width,
  originalHeight: blob.height,
  rotation: row.rotation,
  crop: row.crop,
  durationMs: blob.durationMs,
  media: blob.media,
  posterSha256: row.posterSha256,
  thumbhash: blob.thumbhash,
  color: blob.color,
  hasGps: blob.hasGps,
  focalX: row.focalX,
  focalY: row.focalY,
  visibility: row.visibility,
  scan: blob.scan,
  uses,
  downloads: row.downloads,
  lastDownloadedAt: row.lastDownloadedAt?.toISOString() ?? null,
  version: row.version,
  revision: row.revision,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
});

/** A resource of a site, also from the bin. Throws `not_found`. */
export const readResource = async (ctx: Context, siteId: string, id: string): Promise<Resource> =>
  resourceResponse((await queries.findResource(ctx.postgres.db, siteId, id)) ?? fail('not_found'));

export const cursorOf = ({ key, id }: Position): string => Buffer.from(JSON.stringify([key, id])).toString('base64url');

/** Null if it is no cursor. */
export function positionOf(cursor: string): Position | null {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return typeof key === 'string' && typeof id === 'string' && /^[\da-f-]{36}$/.test(id) ? { key, id } : null;
  } catch {
    return null;
  }
}
