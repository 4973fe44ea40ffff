import type { Config } from '../../config';
import { folderStore, openFolderStore } from './folder';
import { openS3Store, s3Store } from './s3';
import type { FileStore, FileStoreLocation } from './types';

/** Opens the file store of this process: the bucket, or the data folder. */
export const openFileStore = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Promise<FileStore> =>
  s3 === null ? openFolderStore(dataDir) : openS3Store(s3);

/** The same store in another thread. */
export const fileStoreAt = (location: FileStoreLocation): FileStore => (location.kind === 's3' ? s3Store(location) : folderStore(location.folder));
