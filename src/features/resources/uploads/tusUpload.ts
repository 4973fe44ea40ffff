import { Upload as TusUpload, defaultOptions } from 'tus-js-client';
import type { PreviousUpload, UploadOptions } from 'tus-js-client';
import { resourceLimits } from '@contract/resources/terms';
import { failureOf, uploadHeaders as headers } from '@/store/tus';
import type { ApiFailure } from '@/lib/failure';
import { uploadsAddress } from '../resourcesApi';
import type { FileToSend } from './uploadQueue';
import type { Upload } from './uploadsSlice';

const storage = defaultOptions.urlStorage;
/** Shortest interval between two reports of progress, in milliseconds. */
const progressPause = 150;

/**
 * Identifies a file in the list of unfinished uploads, which the browser stores: by content if it is known. The same file for another folder is another upload.
 */
const fingerprintOf = ({ upload: { siteId, folderId, replaces }, file, sha256 }: FileToSend): string =>
  [`resource`, siteId, folderId ?? '', replaces ?? '', sha256 ?? `${file.name} ${String(file.size)} ${String(file.lastModified)}`].join(':');

const metadataOf = ({ name, folderId, replaces }: Upload): Record<string, string> => ({
  name,
  ...(folderId === null ? {} : { folder: folderId }),
  ...(replaces === null ? {} : { replaces }),
});

/** Sends a file, from where its previous upload stopped; resolves to the id of the complete upload. */
export function sendFile(
  toSend: FileToSend,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<{ readonly uploadId: string } | { readonly failure: ApiFailure }> {
  const { upload, file } = toSend;
  const endpoint = new URL(uploadsAddress(upload.siteId), location.origin).href;
  return new Promise((resolve) => {
    let reported = 0;
    const options: UploadOptions = {
      endpoint,
      headers,
      metadata: metadataOf(upload),
      chunkSize: resourceLimits.chunkBytes,
      fingerprint: () => Promise.resolve(fingerprintOf(toSend)),
      removeFingerprintOnSuccess: true,
      retryDelays: [500, 2000],
      onProgress: (sent) => {
        if (Date.now() - reported < progressPause) return;
        reported = Date.now();
        onProgress(sent);
      },
      onSuccess: () => resolve({ uploadId: tus.url?.split('/').at(-1) ?? '' }),
      onError: (error) => resolve({ failure: failureOf(error, endpoint) }),
    };
    const tus = new TusUpload(file, options);
    signal.addEventListener('abort', () => void tus.abort().then(() => resolve({ uploadId: '' })));
    void tus.findPreviousUploads().then(([previous]) => {
      if (signal.aborted) return resolve({ uploadId: '' });
      if (previous) tus.resumeFromPreviousUpload(previous);
      tus.start();
    });
  });
}

async function remove(previous: PreviousUpload): Promise<void> {
  await storage.removeUpload(previous.urlStorageKey);
  // One that the server no longer has, or that it removes by itself later.
  if (previous.uploadUrl !== null) await TusUpload.terminate(previous.uploadUrl, { headers }).catch(() => undefined);
}

/** Removes what the server has of a file. */
export async function discardFile(file: FileToSend): Promise<void> {
  for (const previous of await storage.findUploadsByFingerprint(fingerprintOf(file))) await remove(previous);
}

const ofSite = (previous: PreviousUpload, siteId: string): boolean =>
  previous.uploadUrl?.startsWith(`${new URL(uploadsAddress(siteId), location.origin).href}/`) === true;

/** Uploads to a site that an earlier visit to this browser has not completed. */
export async function interruptedUploads(siteId: string): Promise<readonly Upload[]> {
  const all = await storage.findAllUploads();
  return all
    .filter((previous) => ofSite(previous, siteId))
    .map(({ urlStorageKey, size, metadata: { name = '', folder = null, replaces = null } }) => ({
      id: urlStorageKey,
      siteId,
      name,
      bytes: size ?? 0,
      sent: 0,
      folderId: folder,
      replaces,
      status: 'interrupted',
      failure: null,
      resource: null,
    }));
}

/** Removes an interrupted upload, by its key in the browser's storage. */
export async function discardInterrupted(key: string): Promise<void> {
  for (const previous of await storage.findAllUploads()) if (previous.urlStorageKey === key) await remove(previous);
}
