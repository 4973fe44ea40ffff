import type { Config } from '../../config';
import { folderStore, openFolderStore } from './folder';
import { openS3Store, s3Store } from './s3';
import type { FileStore, FileStoreLocation } from './types';

/** Opens the file store of this process: the bucket, or the data folder. A process that keeps no files starts without the bucket. */
export async function openFileStore({ dataDir, s3, roles }: Pick<Config, 'dataDir' | 's3' | 'roles'>): Promise<FileStore> {
  if (s3 === null) return openFolderStore(dataDir);
  return roles.has('web') || roles.has('worker') ? openS3Store(s3) : s3Store(s3);
}

/** The same store in another thread. */
export const fileStoreAt = (location: FileStoreLocation): FileStore => (location.kind === 's3' ? s3Store(location) : folderStore(location.folder));
