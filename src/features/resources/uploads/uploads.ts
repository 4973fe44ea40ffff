import { addListener, isAnyOf } from '@reduxjs/toolkit';
import { useMemo } from 'react';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { waitForNetwork } from '@/lib/waitForNetwork';
import type { AppDispatch, AppStore, RootState } from '@/store';
import { personReplaced, signedOut } from '@/store/events';
import { useAppStore } from '@/store/hooks';
import { resourcesApi } from '../resourcesApi';
import { hashFile } from './hashFile';
import { UploadQueue } from './uploadQueue';
import type { UploadSteps } from './uploadQueue';

const { addKnownResource, finishResourceUpload } = resourcesApi.endpoints;
const tus = () => import(/* webpackChunkName: "tus" */ './tusUpload');
/** Time before the next attempt without a message from the browser that the network is back, in milliseconds. */
const nextAttempt = 10_000;

const unknown: ApiFailure = { kind: 'network', method: '', url: '', status: 0, message: '' };
const failed = (error: unknown) => ({ failure: isFailure(error) ? error : unknown });

/** The steps in the browser: hashing in a worker, tus for the content, the API for the rest. */
function browserSteps({ dispatch }: AppStore): UploadSteps {
  return {
    hash: hashFile,
    async addKnown({ siteId, name, bytes, folderId }, sha256) {
      const { data, error } = await dispatch(addKnownResource.initiate({ siteId, body: { name, size: bytes, folderId, sha256 } }, { track: false }));
      return data ?? failed(error);
    },
    async send(file, onProgress, signal) {
      try {
        return await (await tus()).sendFile(file, onProgress, signal);
      } catch {
        return { failure: unknown };
      }
    },
    async finish({ siteId }, uploadId) {
      const { data, error } = await dispatch(finishResourceUpload.initiate({ siteId, upload: uploadId }, { track: false }));
      return data ? { resource: data } : failed(error);
    },
    discard: async (file) => (await tus()).discardFile(file),
    wait: (signal) => waitForNetwork(nextAttempt, signal),
  };
}

const queues = new WeakMap<AppStore, UploadQueue>();

/** The queue of this tab. */
export function queueOf(store: AppStore): UploadQueue {
  const existing = queues.get(store);
  if (existing) return existing;
  const queue = new UploadQueue(store, browserSteps(store));
  queues.set(store, queue);
  const stopping = addListener.withTypes<RootState, AppDispatch>()({ matcher: isAnyOf(signedOut, personReplaced), effect: () => queue.stopAll() });
  store.dispatch(stopping);
  return queue;
}

/** The uploads of this tab, which go on while the person visits other pages of the console. */
export function useUploadQueue(): UploadQueue {
  const store = useAppStore();
  return useMemo(() => queueOf(store), [store]);
}

/** Lists what an earlier visit left unfinished. Without storage there is nothing to list. */
export async function listInterrupted(queue: UploadQueue, siteId: string): Promise<void> {
  try {
    queue.addInterrupted(await (await tus()).interruptedUploads(siteId));
  } catch {
    // The code of uploads did not load: it is requested again with the first upload.
  }
}

export async function discardInterrupted(queue: UploadQueue, key: string): Promise<void> {
  queue.cancel([key]);
  await (await tus()).discardInterrupted(key);
}
