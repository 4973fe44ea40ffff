import { useCallback, useEffect, useRef, useState } from 'react';
import type { TableImport } from '@contract/tables/transfers';
import { addressOf } from '@/store/endpoints';
import type { ApiFailure } from '@/lib/failure';
import { sendChunks } from '@/store/sendChunks';
import { transferCalls } from './transferApi';

type Upload = {
  readonly id: string;
  readonly file: File;
  readonly stored: number;
  readonly sending: boolean;
  readonly waiting: boolean;
  readonly failure: ApiFailure | null;
};
export type Uploading = {
  /** null: this page has no upload. */ readonly now: Upload | null;
  readonly send: (it: TableImport, file: File) => void;
  readonly pause: () => void;
};

/** The upload of this page, which ends when the page is left: the uploaded part is kept, and choosing the same file again resumes it. */
export function useUpload(siteId: string, onMoved: (it: TableImport) => void): Uploading {
  const [now, setNow] = useState<Upload | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const send = useCallback(
    (it: TableImport, file: File) => {
      controller.current?.abort();
      const mine = new AbortController();
      controller.current = mine;
      const set = (change: Partial<Upload>): void => {
        if (!mine.signal.aborted) setNow((before) => (before?.id === it.id ? { ...before, ...change } : before));
      };
      setNow({ id: it.id, file, stored: it.file.stored, sending: true, waiting: false, failure: null });
      void sendChunks<TableImport>({
        file,
        from: it,
        address: (offset) => addressOf(transferCalls.tableImportData, { siteId, id: it.id, offset }),
        stored: (one) => one.file.stored,
        onMoved: (one) => {
          set({ stored: one.file.stored });
          onMoved(one);
        },
        onWaiting: (waiting) => set({ waiting }),
        signal: mine.signal,
      }).then(({ failure }) => set({ sending: false, waiting: false, failure }));
    },
    [siteId, onMoved],
  );
  const pause = useCallback(() => {
    controller.current?.abort();
    setNow((before) => before && { ...before, sending: false, waiting: false });
  }, []);
  return { now, send, pause };
}
