import { uploadsIn } from '../../kit/uploads';

/** The uploaded files of imports, by their number. */
export const importFiles = uploadsIn('imports');
