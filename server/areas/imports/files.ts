import { uploadsIn } from '../../uploads';

const uploads = uploadsIn('imports');
export const { folder: importFolder, file: filePath, storedSize, append: appendChunk, remove: removeFiles, isAbandoned, sweep: sweepFolders } = uploads;
