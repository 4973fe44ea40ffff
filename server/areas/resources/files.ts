import type { VideoFormat } from '../../../contract/resources/terms';
import type { Context } from '../../context';
import type { FileKey } from '../../stores/files/keys';
import { storedFile } from '../../stores/files/storedFile';
import type { StoredFile } from '../../stores/files/storedFile';

/** All files of a content: the original and its variants. */
export const blobFolder = (siteId: string, sha256: string): FileKey => `resources/${siteId}/${sha256}`;
export const originalKey = (siteId: string, sha256: string): FileKey => `${blobFolder(siteId, sha256)}/original`;
export const variantKey = (siteId: string, sha256: string, name: string): FileKey => `${blobFolder(siteId, sha256)}/${name}`;
/** The name of what the malware scanner found, in place of the content. */
export const threatKey = (siteId: string, sha256: string): FileKey => `${blobFolder(siteId, sha256)}/threat`;
/** The name of a converted video beside its original. It stays as long as its content, because converting takes minutes, and counts as used by the site. */
export const videoName = (format: VideoFormat): string => `720.${format}`;
export const videoKey = (siteId: string, sha256: string, format: VideoFormat): FileKey => variantKey(siteId, sha256, videoName(format));
export const uploadKey = (id: string): FileKey => `resource-uploads/${id}/content`;
export const uploadFolder = (id: string): FileKey => `resource-uploads/${id}`;
/** SHA-256 of an upload that could not be accepted yet, with the size and the time of the content that it was computed from. */
export const uploadHashKey = (id: string): FileKey => `${uploadFolder(id)}/sha256`;

/** The validator (`ETag`) of a file that was computed from a content. */
export const variantTag = (sha256: string, name: string): string => `${sha256.slice(0, 32)}.${name}`;

export const originalOf = (ctx: Context, siteId: string, sha256: string): StoredFile => storedFile(ctx.files, originalKey(siteId, sha256));

/** The lock under which a content is stored or deleted: its file and its row must not be changed by two at once. */
export const blobLock = (siteId: string, sha256: string): string => `blob ${siteId} ${sha256}`;
