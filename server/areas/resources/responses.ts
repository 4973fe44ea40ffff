import { editedSize } from '../../../contract/resources/edits';
import type { Resource } from '../../../contract/resources/schemas';
import type { Position, ResourceWithBlob } from './queries';

/** Size of an image as it is shown; nulls without dimensions. */
const shownSize = ({ row, blob: { width, height } }: Pick<ResourceWithBlob, 'row' | 'blob'>) =>
  width === null || height === null ? { width, height } : editedSize({ width, height }, row);

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
  ...shownSize({ row, blob }),
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
