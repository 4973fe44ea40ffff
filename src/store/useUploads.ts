import { useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '@/lib/failure';
import { sendFiles } from './sendFiles';

/** Where the files of an object are sent. */
export type UploadTarget<T> = {
  /** The address of the upload of a file. */
  readonly address: (object: T, file: number) => string;
  /** Stored bytes of each file, as far as the object says. */
  readonly stored: (object: T) => readonly number[];
};
export type Upload = {
  readonly files: readonly File[];
  /** Stored bytes of each file. */
  readonly stored: readonly number[];
  readonly sending: boolean;
  /** Sending, but the network is down. */
  readonly waiting: boolean;
  readonly failure: ApiFailure | null;
};
/** `sent`: all files are stored; false without a failure if it was paused. */
type UploadResult = { readonly sent: boolean; readonly failure: ApiFailure | null };
export type Uploads<T> = {
  /** Undefined if this page has not sent anything for that object. */
  readonly of: (id: string) => Upload | undefined;
  readonly isSending: boolean;
  readonly send: (object: T, files: readonly File[]) => Promise<UploadResult>;
  readonly pause: (id: string) => void;
};

/**
 * Uploads of this page, by the id of the object that they belong to. They end when the page is left: stored data stays, and sending the same files again
 * resumes an upload.
 */
export function useUploads<T extends { readonly id: string }>(target: UploadTarget<T>): Uploads<T> {
  const [uploads, setUploads] = useState<ReadonlyMap<string, Upload>>(new Map());
  const controllers = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const all = controllers.current;
    return () => all.forEach((controller) => controller.abort());
  }, []);
  const change = (id: string, changes: Partial<Upload>): void =>
    setUploads((before) => {
      const upload = before.get(id);
      return upload === undefined ? before : new Map(before).set(id, { ...upload, ...changes });
    });

  async function send(object: T, files: readonly File[]): Promise<UploadResult> {
    const { id } = object;
    // The caller's object, usually from a list, may be older than what this page has sent since, or newer if another tab has sent more.
    const before = uploads.get(id)?.stored ?? [];
    const stored = target.stored(object).map((bytes, file) => Math.max(bytes, before[file] ?? 0));
    controllers.current.get(id)?.abort();
    const controller = new AbortController();
    controllers.current.set(id, controller);
    const { signal } = controller;
    setUploads((all) => new Map(all).set(id, { files, stored: [...stored], sending: true, waiting: false, failure: null }));
    const failure = await sendFiles(
      files.map((file, index) => ({ file, address: target.address(object, index), stored: stored[index] ?? 0 })),
      {
        onStored: (file, bytes) => {
          stored[file] = bytes;
          change(id, { stored: [...stored] });
        },
        onWaiting: (waiting) => void (!signal.aborted && change(id, { waiting })),
        signal,
      },
    );
    if (signal.aborted) return { sent: false, failure: null };
    change(id, { sending: false, waiting: false, failure });
    return { sent: failure === null, failure };
  }
  function pause(id: string): void {
    controllers.current.get(id)?.abort();
    change(id, { sending: false, waiting: false });
  }
  return { of: (id) => uploads.get(id), isSending: [...uploads.values()].some((upload) => upload.sending), send, pause };
}
