import type { Config } from '../../config';
import { folderStore, openFolderStore } from './folder';
import type { FileStore, FileStoreLocation } from './types';

/** Opens the file store of this process. */
export const openFileStore = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<FileStore> => openFolderStore(dataDir);

/** The same store in another thread. */
export const fileStoreAt = ({ folder }: FileStoreLocation): FileStore => folderStore(folder);
