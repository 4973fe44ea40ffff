import { useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '@/lib/failure';
import { sendFiles } from './sendChunks';
import type { UploadTarget } from './sendChunks';

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
 * resumes an upload. `onMoved`: the object after every chunk.
 */
export function useUploads<T extends { readonly id: string }>(target: UploadTarget<T>, onMoved?: (now: T) => void): Uploads<T> {
  const [uploads, setUploads] = useState<ReadonlyMap<string, Upload>>(new Map());
  const controllers = useRef(new Map<string, AbortController>());
  /** What the server last reported of each object while sending. */
  const reported = useRef(new Map<string, T>());
  useEffect(() => {
    const all = controllers.current;
    return () => all.forEach((controller) => controller.abort());
  }, []);
  const change = (id: string, changes: Partial<Upload>): void =>
    setUploads((before) => {
      const upload = before.get(id);
      return upload === undefined ? before : new Map(before).set(id, { ...upload, ...changes });
    });

  /** The caller's object, usually from a list, may be older than what this page has sent since, or newer if another tab has sent more. */
  function newestOf(object: T): T {
    const known = reported.current.get(object.id);
    const bytesOf = (it: T) => target.stored(it).reduce((sum, bytes) => sum + bytes, 0);
    return known !== undefined && bytesOf(known) > bytesOf(object) ? known : object;
  }

  async function send(object: T, files: readonly File[]): Promise<UploadResult> {
    const { id } = object;
    const from = newestOf(object);
    controllers.current.get(id)?.abort();
    const controller = new AbortController();
    controllers.current.set(id, controller);
    const { signal } = controller;
    const changeIfSending = (changes: Partial<Upload>): void => void (!signal.aborted && change(id, changes));
    setUploads((before) => new Map(before).set(id, { files, stored: target.stored(from), sending: true, waiting: false, failure: null }));
    const { failure } = await sendFiles({
      files,
      from,
      target,
      onMoved: (now) => {
        reported.current.set(id, now);
        changeIfSending({ stored: target.stored(now) });
        onMoved?.(now);
      },
      onWaiting: (waiting) => changeIfSending({ waiting }),
      signal,
    });
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
