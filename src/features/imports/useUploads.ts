import type { Import } from '@contract/imports/schemas';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { importsApi } from './importsApi';
import { sendFiles } from './upload';

export type Upload = { readonly stored: readonly number[]; readonly failure: ApiFailure | null; readonly sending: boolean };
export type Uploads = {
  readonly of: (id: string) => Upload | undefined;
  readonly any: boolean;
  readonly send: (it: Import, files: readonly File[]) => void;
  readonly stop: (id: string) => void;
};

/** Uploads of this page. They end with it: stored data stays, and the upload continues when the files are chosen again. */
export function useUploads(siteId: string): Uploads {
  const dispatch = useAppDispatch();
  const [uploads, setUploads] = useState<ReadonlyMap<string, Upload>>(new Map());
  const controllers = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const all = controllers.current;
    return () => all.forEach((controller) => controller.abort());
  }, []);
  const set = useCallback((id: string, upload: Upload) => setUploads((before) => new Map(before).set(id, upload)), []);
  const send = useCallback(
    (it: Import, files: readonly File[]) => {
      controllers.current.get(it.id)?.abort();
      const controller = new AbortController();
      controllers.current.set(it.id, controller);
      let stored = it.files.map((file) => file.stored);
      set(it.id, { stored, failure: null, sending: true });
      const moved = (now: Import): void => {
        stored = now.files.map((file) => file.stored);
        if (!controller.signal.aborted) set(it.id, { stored, failure: null, sending: true });
      };
      void sendFiles(siteId, it, files, moved, controller.signal).then((failure) => {
        if (controllers.current.get(it.id) === controller) controllers.current.delete(it.id);
        if (controller.signal.aborted) return;
        set(it.id, { stored, failure, sending: false });
        dispatch(importsApi.util.invalidateTags(['Import']));
      });
    },
    [siteId, set, dispatch],
  );
  const stop = useCallback((id: string) => {
    controllers.current.get(id)?.abort();
    controllers.current.delete(id);
    setUploads((before) => {
      const next = new Map(before);
      next.delete(id);
      return next;
    });
  }, []);
  return { of: (id) => uploads.get(id), any: [...uploads.values()].some((upload) => upload.sending), send, stop };
}
