import { DetailedError, Upload as TusUpload } from 'tus-js-client';
import type { UploadOptions } from 'tus-js-client';
import type { ApiFailure } from '@/lib/failure';
import { readResponse } from './baseQuery';

/** Headers of every request of an upload (https://tus.io/protocols/resumable-upload). */
export const uploadHeaders = { 'x-requested-with': 'console', accept: 'application/json' };

/** What the server answered to a request of an upload, as a failure of the API. */
export function failureOf(error: Error, url: string): ApiFailure {
  const call = { method: 'PATCH', url };
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response || response.getStatus() === 0) return { ...call, kind: 'network', status: 0, message: '' };
  const read = readResponse(call, {
    status: response.getStatus(),
    statusText: '',
    type: response.getHeader('content-type') ?? '',
    requestId: response.getHeader('x-request-id'),
    text: response.getBody(),
  });
  return 'error' in read ? read.error : { ...call, kind: 'http', status: response.getStatus(), message: error.message };
}

/**
 * Sends what the server does not have yet of a file whose upload exists at `address`; resolves to the failure that stopped it, or null, also after it was
 * aborted. `onStored`: bytes that the server has stored.
 */
export function sendRest(
  file: Blob,
  address: string,
  { chunkSize, onStored, signal }: { readonly chunkSize: number; readonly onStored: (bytes: number) => void; readonly signal: AbortSignal },
): Promise<ApiFailure | null> {
  const uploadUrl = new URL(address, location.origin).href;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    const options: UploadOptions = {
      uploadUrl,
      headers: uploadHeaders,
      chunkSize,
      // The server knows the upload; nothing has to be remembered in the browser.
      storeFingerprintForResuming: false,
      retryDelays: [],
      onChunkComplete: (_chunk, stored) => onStored(stored),
      onSuccess: () => resolve(null),
      onError: (error) => resolve(failureOf(error, address)),
    };
    const tus = new TusUpload(file as File, options);
    signal.addEventListener('abort', () => void tus.abort().then(() => resolve(null)));
    tus.start();
  });
}
