import type { AppStore } from '@/store';
import type { UploadedFiles } from './follow';
import { cleanName } from './pickedFiles';
import { queueOf } from './uploads';

/** Uploads files that other screens receive, into no folder, by the queue of this tab; see `UploadQueue.add`. */
export function uploadFiles(store: AppStore, siteId: string, files: readonly File[], onUploaded: (uploaded: UploadedFiles) => void): void {
  queueOf(store).add(
    siteId,
    files.map((file) => ({ file, name: cleanName(file.name), folderId: null })),
    onUploaded,
  );
}
