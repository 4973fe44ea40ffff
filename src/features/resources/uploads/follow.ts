import type { Resource } from '@contract/resources/schemas';
import type { AppStore } from '@/store';
import { isActive, selectUploads } from './uploadsSlice';
import type { Upload } from './uploadsSlice';

/** What has become of files: resources in the order in which they were added, and the uploads that failed. */
export type UploadedFiles = { readonly resources: readonly Resource[]; readonly failed: readonly Upload[] };

/**
 * Watches some of the uploads of a tab. `onUploaded` receives those that are complete, if any, as soon as none is under way. Those that failed or were paused are watched
 * until they are complete or cancelled. Returns how to stop; `onEnd` is called when nothing is left to watch.
 */
export function follow(store: AppStore, ids: readonly string[], onUploaded: (uploaded: UploadedFiles) => void, onEnd: () => void): () => void {
  let open: readonly string[] = ids;
  let running = true;
  // A completed upload may be dismissed from the list before the last one is complete.
  const complete = new Map<string, Resource>();
  const check = (): void => {
    const listed = selectUploads(store.getState()).filter(({ id }) => open.includes(id));
    for (const { id, resource } of listed) if (resource) complete.set(id, resource);
    if (listed.some(isActive)) running = true;
    else {
      const resources = open.flatMap((id) => complete.get(id) ?? []);
      const failed = listed.filter(({ status }) => status === 'failed');
      const report = running;
      running = false;
      open = listed.filter(({ resource }) => resource === null).map(({ id }) => id);
      complete.clear();
      if (open.length === 0) {
        stop();
        onEnd();
      }
      if (report) onUploaded({ resources, failed });
    }
  };
  const stop = store.subscribe(check);
  return stop;
}
